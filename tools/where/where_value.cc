#include "where_value.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/time_spec.h"
#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/plain_value.h"

namespace evt::tools {
namespace {

constexpr const char* kNumber = "a number like 10, 0x1f or 4K";
const std::string kMoment = std::string("a time like ") + TimeSpec::kForms;

WhereBound refused(const WhereComparison& comparison, std::string_view kind, std::string_view expected) {
  WhereBound bound;
  bound.column = comparison.value_column;
  bound.error = fmt::format("{} is {}: expected {}, found {}", where_subject_text(comparison.subject), kind, expected,
                            comparison.value);
  return bound;
}

WhereBound no_pattern(const WhereComparison& comparison, std::string_view kind) {
  WhereBound bound;
  bound.column = comparison.subject_column;
  bound.error =
      fmt::format("{} is {}: {} is for strings; expected one of = != < <= > >=", where_subject_text(comparison.subject),
                  kind, where_operator_text(comparison.op));
  return bound;
}

template <typename T>
bool passes(WhereOperator op, const T& left, const T& right) {
  switch (op) {
    case WhereOperator::kEqual:
      return left == right;
    case WhereOperator::kNotEqual:
      return left != right;
    case WhereOperator::kLess:
      return left < right;
    case WhereOperator::kLessOrEqual:
      return left <= right;
    case WhereOperator::kGreater:
      return left > right;
    case WhereOperator::kGreaterOrEqual:
      return left >= right;
    default:
      return false;
  }
}

// 10 to which power nanoseconds the unit is.
std::optional<int> power_of(Unit unit) {
  switch (unit) {
    case Unit::kNanoseconds:
      return 0;
    case Unit::kMicroseconds:
      return 3;
    case Unit::kMilliseconds:
      return 6;
    case Unit::kSeconds:
      return 9;
    default:
      return std::nullopt;
  }
}

// A bare number is in the field's own unit; the result is as values are recorded.
std::optional<WhereNumber> number_for(const Field& field, const std::string& text) {
  const auto number = WhereNumber::parse(text, field.scale);
  const auto power = number ? std::nullopt : power_of(field.unit);
  return power ? WhereNumber::parse_length(text, *power + field.scale, false) : number;
}

WhereBound of_range(const WhereRange& range, bool is_signed) {
  WhereBound bound;
  bound.range = range;
  bound.test = [range, is_signed](const Event&, const Value& value) {
    return range.contains(is_signed ? WhereRange::key(value.as_signed()) : WhereRange::key(value.as_unsigned()));
  };
  return bound;
}

WhereBound bind_integer(const WhereComparison& comparison, const Field& field) {
  const bool is_signed = field.kind == Kind::kSigned;
  if (is_where_pattern(comparison.op)) return no_pattern(comparison, field_kind_name(field));
  auto number = number_for(field, comparison.value);
  if (field.kind == Kind::kBool && comparison.value == "true") number = WhereNumber::of(std::uint64_t{1});
  if (field.kind == Kind::kBool && comparison.value == "false") number = WhereNumber::of(std::uint64_t{0});
  if (!number || number->is_nan()) {
    const std::string expected = field.kind == Kind::kBool ? "true, false or a number"
                                 : power_of(field.unit)    ? std::string(kNumber) + ", or a time like 200ms"
                                                           : kNumber;
    return refused(comparison, field_kind_name(field), expected);
  }
  return of_range(WhereRange(comparison.op, *number, is_signed), is_signed);
}

// A float of four bytes as such: 0.1 finds what is shown as 0.1.
bool passes(WhereOperator op, const Value& value, const WhereNumber& number) {
  const double wide = value.as_double();
  if (number.is_nan()) {
    return (op == WhereOperator::kEqual && std::isnan(wide)) || (op == WhereOperator::kNotEqual && !std::isnan(wide));
  }
  if (value.bytes().size() != sizeof(float) || !number.single()) return passes(op, wide, number.value());
  return passes(op, std::bit_cast<float>(static_cast<std::uint32_t>(value.as_unsigned())), *number.single());
}

WhereBound bind_float(const WhereComparison& comparison, const Field& field) {
  if (is_where_pattern(comparison.op)) return no_pattern(comparison, field_kind_name(field));
  const auto number = number_for(field, comparison.value);
  if (!number) return refused(comparison, field_kind_name(field), "a number like 1.5, 2e3 or nan");
  WhereBound bound;
  bound.test = [op = comparison.op, number = *number](const Event&, const Value& value) {
    return passes(op, value, number);
  };
  return bound;
}

// Whether the texts that evt dump --json shows match the pattern.
WhereBound bind_pattern(const WhereComparison& comparison) {
  WhereBound bound;
  if (comparison.value.find('\0') != std::string::npos) {
    bound.column = comparison.value_column;
    bound.error = "a pattern cannot have \\x00";
    return bound;
  }
  bound.test = [wanted = comparison.op == WhereOperator::kMatches, pattern = comparison.value](const Event& event,
                                                                                               const Value& value) {
    TextBuffer number;
    TextBuffer made;
    const auto text = append_unless_text(number, event, value, made);
    return matches_pattern(pattern, text ? *text : number.text()) == wanted;
  };
  return bound;
}

// A set of flags equals the label of a flag that is in it; the label of 0 if none is.
WhereBound of_flag(WhereOperator op, std::uint64_t flag) {
  WhereBound bound;
  bound.test = [is_wanted = op == WhereOperator::kEqual, flag](const Event&, const Value& value) {
    const std::uint64_t flags = value.as_unsigned();
    return (flag == 0 ? flags == 0 : (flags & flag) == flag) == is_wanted;
  };
  return bound;
}

WhereBound bind_enumeration(const WhereComparison& comparison, const Field& field) {
  if (is_where_pattern(comparison.op)) return bind_pattern(comparison);
  std::vector<std::string> labels;
  for (const Field::Label& label : field.labels) {
    if (label.shared || label.text.empty()) continue;
    if (label.text == comparison.value) {
      if (field.is_flags && !is_where_order(comparison.op)) return of_flag(comparison.op, label.value);
      return of_range(WhereRange(comparison.op, WhereNumber::of(label.value), false), false);
    }
    labels.push_back(label.text);
  }
  const auto number = WhereNumber::parse(comparison.value);
  if (number && !number->is_nan()) return of_range(WhereRange(comparison.op, *number, false), false);
  WhereBound bound = refused(comparison, field_kind_name(field), "a label or a number");
  bound.error += did_you_mean(comparison.value, labels);
  return bound;
}

WhereBound bind_text(const WhereComparison& comparison, const Field& field) {
  if (is_where_pattern(comparison.op)) return bind_pattern(comparison);
  if (comparison.is_of_numbers && is_where_order(comparison.op)) {
    return refused(comparison, field_kind_name(field), "a string");
  }
  WhereBound bound;
  bound.test = [op = comparison.op, wanted = comparison.value](const Event& event, const Value& value) {
    if (value.kind() == Kind::kText) return passes(op, value.as_text(), std::string_view(wanted));
    TextBuffer number;
    TextBuffer made;
    const auto text = append_unless_text(number, event, value, made);
    return passes(op, text ? *text : number.text(), std::string_view(wanted));
  };
  return bound;
}

// 0x and pairs of digits.
std::optional<std::string> parse_bytes(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  text.remove_prefix(2);
  if (text.size() % 2 != 0 || text.find_first_not_of("0123456789abcdefABCDEF") != text.npos) return std::nullopt;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1]));
  }
  return bytes;
}

WhereBound bind_bytes(const WhereComparison& comparison, const Field& field) {
  if (is_where_pattern(comparison.op)) return bind_pattern(comparison);
  auto wanted = parse_bytes(comparison.value);
  if (!wanted) {
    return refused(comparison, field.known() ? field_kind_name(field) : "of a kind that is not known",
                   "0x and pairs of hexadecimal digits");
  }
  WhereBound bound;
  bound.test = [op = comparison.op, wanted = *std::move(wanted)](const Event&, const Value& value) {
    return passes(op, value.as_text(), std::string_view(wanted));
  };
  return bound;
}

WhereBound bind_moment(const WhereComparison& comparison, const Session& session, std::string_view kind) {
  if (is_where_pattern(comparison.op)) return no_pattern(comparison, kind);
  const auto moment = TimeSpec::parse(comparison.value);
  if (!moment) return refused(comparison, kind, kMoment);
  WhereBound bound;
  bound.range = WhereRange(comparison.op, WhereNumber::of(moment->in(session)), true);
  return bound;
}

}  // namespace

bool matches_pattern(const std::string& pattern, std::string_view text) {
  // fnmatch takes no byte 0. A pattern has none either, and means by all else but 1 itself the same with 1 in its
  // place.
  std::string terminated(text);
  std::ranges::replace(terminated, '\0', '\1');
  return fnmatch(pattern.c_str(), terminated.c_str(), 0) == 0;
}

namespace {

WhereBound bind_length(const WhereComparison& comparison, std::string_view kind) {
  if (is_where_pattern(comparison.op)) return no_pattern(comparison, kind);
  const auto length = WhereNumber::parse_length(comparison.value, 0, true);
  if (!length) return refused(comparison, kind, "a length of time like 1.5, 200ms or 3us");
  WhereBound bound;
  bound.range = WhereRange(comparison.op, *length, true);
  return bound;
}

WhereBound bind_known(const WhereComparison& comparison, const Field& field, const Session& session) {
  switch (field.known() ? field.kind : Kind::kBytes) {
    case Kind::kUnsigned:
    case Kind::kSigned:
    case Kind::kBool:
      return bind_integer(comparison, field);
    case Kind::kFloat:
      return bind_float(comparison, field);
    case Kind::kEnumeration:
      return bind_enumeration(comparison, field);
    case Kind::kText:
    case Kind::kInterned:
      return bind_text(comparison, field);
    case Kind::kTicks: {
      WhereBound bound = bind_moment(comparison, session, field_kind_name(field));
      if (const auto range = std::exchange(bound.range, std::nullopt)) {
        bound.test = [range = *range](const Event& event, const Value& value) {
          return event.is_known(value) && range.contains(WhereRange::key(event.ticks_to_ns(event.ticks_in(value))));
        };
      }
      return bound;
    }
    case Kind::kTickDelta: {
      WhereBound bound = bind_length(comparison, field_kind_name(field));
      if (const auto range = std::exchange(bound.range, std::nullopt)) {
        bound.test = [range = *range](const Event& event, const Value& value) {
          return event.is_known(value) && range.contains(WhereRange::key(event.delta_to_ns(value.as_signed())));
        };
      }
      return bound;
    }
    default:
      return bind_bytes(comparison, field);
  }
}

}  // namespace

// A value that means none, or a time that is not known, passes no test, as one that is not there.
WhereBound bind_where(const WhereComparison& comparison, const Field& field, const Session& session) {
  WhereBound bound = bind_known(comparison, field, session);
  if (field.absent && bound.test) {
    bound.range.reset();
    bound.test = [test = std::move(bound.test)](const Event& event, const Value& value) {
      return !value.is_absent() && test(event, value);
    };
  }
  return bound;
}

WhereBound bind_where_moment(const WhereComparison& comparison, const Session& session) {
  return bind_moment(comparison, session, "a time");
}

WhereBound bind_where_number(const WhereComparison& comparison) {
  if (is_where_pattern(comparison.op)) return no_pattern(comparison, "a number");
  const auto number = WhereNumber::parse(comparison.value);
  if (!number || number->is_nan()) return refused(comparison, "a number", kNumber);
  WhereBound bound;
  bound.range = WhereRange(comparison.op, *number, false);
  return bound;
}

WhereBound bind_where_length(const WhereComparison& comparison) { return bind_length(comparison, "a length of time"); }

}  // namespace evt::tools
