// The variables of a value change dump: their names, scopes and codes.
#pragma once

#include <evt/text/text_buffer.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evt {

class Variables {
 public:
  static constexpr std::size_t kMost = 65536;

  enum class Type : std::uint8_t { kState, kNumber, kReal, kBit, kEvent };

  // Its number; kMost if there are too many.
  std::size_t add(Type type, std::string_view scope);
  void name(std::size_t variable, std::string_view name);
  std::size_t size() const { return all_.size(); }
  // Number of variables beyond the limit.
  std::uint64_t left_out() const { return left_out_; }

  // Appends $scope and $var: names contain only characters that every reader accepts, and are unique.
  void append_declarations(TextBuffer& out) const;
  Type type(std::size_t variable) const { return all_[variable].type; }
  static void append_code(TextBuffer& out, std::size_t variable);

 private:
  struct Variable {
    Type type = Type::kState;
    std::string scope;
    std::string name;
  };

  std::vector<Variable> all_;
  std::uint64_t left_out_ = 0;
};

}  // namespace evt
