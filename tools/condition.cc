#include "condition.h"

#include <fnmatch.h>

#include <charconv>

#include "moment.h"
#include "plain_value.h"

namespace evt::tools {
namespace {

// All of the text as a number.
template <typename T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Condition> Condition::parse(std::string_view text) {
  const std::size_t at = text.find_first_of("=!<>~");
  if (at == text.npos || at == 0) return std::nullopt;
  constexpr std::pair<std::string_view, Operator> kOperators[] = {
      {"!=", Operator::kNotEqual}, {"<=", Operator::kLessOrEqual}, {">=", Operator::kGreaterOrEqual},
      {"=", Operator::kEqual},     {"<", Operator::kLess},         {">", Operator::kGreater},
      {"~", Operator::kMatches}};
  Condition made;
  made.field_ = text.substr(0, at);
  text.remove_prefix(at);
  for (const auto& [sign, meaning] : kOperators) {
    if (!text.starts_with(sign)) continue;
    made.operator_ = meaning;
    made.text_ = text.substr(sign.size());
    if (const auto natural = whole<std::uint64_t>(made.text_)) made.integer_ = integer(*natural);
    if (const auto signed_number = whole<std::int64_t>(made.text_)) made.integer_ = Condition::integer(*signed_number);
    made.number_ = whole<double>(made.text_);
    const bool negative = made.text_.starts_with('-');
    made.length_ = parse_length(std::string_view(made.text_).substr(negative ? 1 : 0));
    if (negative && made.length_) made.length_ = -*made.length_;
    return made;
  }
  return std::nullopt;
}

template <typename T>
bool Condition::compare(const T& left, const T& right) const {
  switch (operator_) {
    case Operator::kEqual:
      return left == right;
    case Operator::kNotEqual:
      return left != right;
    case Operator::kLess:
      return left < right;
    case Operator::kLessOrEqual:
      return left <= right;
    case Operator::kGreater:
      return left > right;
    case Operator::kGreaterOrEqual:
      return left >= right;
    case Operator::kMatches:
      break;
  }
  return false;
}

bool Condition::holds_for(const Event& event) const {
  const std::optional<Value> value = event.value(field_);
  if (!value || value->field().name != field_) return false;
  if (!value->is_sequence()) return holds_for(event, *value);
  bool any = false;
  value->for_each([&](const Value& element) { any = any || holds_for(event, element); });
  return any;
}

bool Condition::holds_for(const Event& event, const Value& value) const {
  if (operator_ != Operator::kMatches) {
    switch (value.kind()) {
      case Kind::kUnsigned:
      case Kind::kEnumeration:
        if (integer_) return compare(integer(value.as_unsigned()), *integer_);
        if (number_) return compare(static_cast<double>(value.as_unsigned()), *number_);
        break;
      case Kind::kSigned:
        if (integer_) return compare(integer(value.as_signed()), *integer_);
        if (number_) return compare(static_cast<double>(value.as_signed()), *number_);
        break;
      case Kind::kFloat:
        if (number_) return compare(value.as_double(), *number_);
        break;
      case Kind::kTicks:
        if (length_) return compare(event.ticks_to_ns(value.as_unsigned()), *length_);
        break;
      case Kind::kTickDelta:
        if (length_) return compare(event.delta_to_ns(value.as_signed()), *length_);
        break;
      default:
        break;
    }
  }
  TextBuffer number;
  TextBuffer made;
  const auto given = append_unless_text(number, event, value, made);
  const std::string text(given ? *given : number.text());
  if (operator_ == Operator::kMatches) return fnmatch(text_.c_str(), text.c_str(), 0) == 0;
  return compare(text, text_);
}

}  // namespace evt::tools
