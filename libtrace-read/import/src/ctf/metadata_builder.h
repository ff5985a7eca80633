// Output of the parsers of either version -> Metadata for reading packets.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "metadata.h"

namespace evt::ctf {

class MetadataBuilder {
 public:
  static constexpr std::size_t kMaxFields = 400'000;  // with copies, labels and options
  static constexpr std::size_t kMaxDepth = 64;

  explicit MetadataBuilder(bool is_tsdl) { metadata_.is_tsdl = is_tsdl; }

  Metadata& metadata() { return metadata_; }
  void add_clock(Clock clock) { clocks_.push_back(std::move(clock)); }
  const Clock* clock(const std::string& name) const;
  // Counts a field with all nested ones; false once there are more than kMaxFields.
  bool count(const FieldClass& field);
  // Resolves what lengths and choices depend on, and finds fields with a role. Returns empty, or why that is
  // impossible.
  std::string finish();
  Metadata take() { return std::move(metadata_); }

 private:
  using Roots = std::array<FieldClass*, kScopes>;

  void finish_stream(StreamClass* stream, Roots roots);
  void finish_root(const Roots& roots, Scope scope);
  void finish_field(const Roots& roots, Scope scope, const std::string& name, FieldClass* field);
  void set_role(Scope scope, const std::string& name, FieldClass* field);
  void find_source(const Roots& roots, FieldClass* field);
  FieldClass* find(const Roots& roots, const Location& location) const;
  void fail(std::size_t line, const std::string& why);

  Metadata metadata_;
  std::vector<Clock> clocks_;
  std::size_t fields_ = 0;
  std::vector<FieldClass*> around_;  // structures around the current field, the outermost first
  StreamClass* stream_ = nullptr;    // at hand
  std::string error_;
};

}  // namespace evt::ctf
