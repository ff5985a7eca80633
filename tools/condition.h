// A test of an event's field: thread=7, size>=1000, name~main*.
#pragma once

#include <evt/trace.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace evt::tools {

class Condition {
 public:
  static std::optional<Condition> parse(std::string_view text);

  const std::string& field() const { return field_; }
  // Numbers are compared as numbers, times as lengths of time (1.5, 200ms), all else as text. Of an array, one element
  // is enough. An event without the field fails.
  bool holds_for(const Event& event) const;

 private:
  enum class Operator : std::uint8_t { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kMatches };

  bool holds_for(const Event& event, const Value& value) const;
  template <typename T>
  bool compare(const T& left, const T& right) const;

  std::string field_;
  Operator operator_ = Operator::kEqual;
  std::string text_;
  // Signed and unsigned numbers in one order: whether it is 0 or more, then its 64 bits.
  using Integer = std::pair<bool, std::uint64_t>;
  static Integer integer(std::uint64_t number) { return {true, number}; }
  static Integer integer(std::int64_t number) { return {number >= 0, static_cast<std::uint64_t>(number)}; }

  // What the text means, where it means that.
  std::optional<Integer> integer_;
  std::optional<double> number_;
  std::optional<std::int64_t> length_;
};

}  // namespace evt::tools
