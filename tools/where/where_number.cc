#include "where_number.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include "base/time_spec.h"

namespace evt::tools {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool take(std::string_view* text, std::string_view what) {
  if (!text->starts_with(what)) return false;
  text->remove_prefix(what.size());
  return true;
}

std::string_view take_digits(std::string_view* text) {
  const std::string_view digits = text->substr(0, text->find_first_not_of(kDigits));
  text->remove_prefix(digits.size());
  return digits;
}

// Decimal digits times 1024, this many times; how many more there are.
std::size_t multiply(std::string* digits, int doublings) {
  const std::size_t before = digits->size();
  for (int i = 0; i < doublings; i += 10) {
    unsigned carry = 0;
    for (auto digit = digits->rbegin(); digit != digits->rend(); ++digit) {
      carry += static_cast<unsigned>(*digit - '0') * 1024;
      *digit = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    if (carry > 0) digits->insert(0, std::to_string(carry));
  }
  return digits->size() - before;
}

}  // namespace

WhereNumber::WhereNumber(bool negative, std::uint64_t size)
    : negative_(negative), whole_(size), value_(static_cast<double>(size)), single_(static_cast<float>(size)) {
  if (!negative) return;
  value_ = -value_;
  single_ = -*single_;
}

// Digits and maybe a point and an exponent, times 10^`power` and 2^`doublings`.
std::optional<WhereNumber> WhereNumber::parse_decimal(std::string_view text, int power, int doublings) {
  WhereNumber made;
  made.negative_ = take(&text, "-");
  if (!made.negative_) take(&text, "+");
  std::string digits(take_digits(&text));
  // How many of them are in front of the point. What does not fit an int by far is no double either.
  std::int64_t point = static_cast<std::int64_t>(digits.size()) + power;
  if (take(&text, ".")) digits += take_digits(&text);
  if (digits.empty()) return std::nullopt;
  if (take(&text, "e") || take(&text, "E")) {
    if (take(&text, "+") && text.starts_with('-')) return std::nullopt;
    int exponent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    point += exponent;
  }
  if (!text.empty()) return std::nullopt;
  point += static_cast<std::int64_t>(multiply(&digits, doublings));
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  digits.erase(0, zeros);
  if (digits.empty()) return WhereNumber(made.negative_, 0);
  point -= static_cast<std::int64_t>(zeros);

  const std::string shifted = "." + digits + "e" + std::to_string(point);
  if (std::from_chars(shifted.data(), shifted.data() + shifted.size(), made.value_).ec != std::errc()) {
    return std::nullopt;
  }
  float single = 0;
  if (std::from_chars(shifted.data(), shifted.data() + shifted.size(), single).ec == std::errc()) {
    made.single_ = made.negative_ ? -single : single;
  }
  if (made.negative_) made.value_ = -made.value_;
  std::int64_t at = 0;
  for (; at < point && !made.is_huge_; ++at) {
    const auto i = static_cast<std::size_t>(at);
    const auto digit = static_cast<std::uint64_t>(i < digits.size() ? digits[i] - '0' : 0);
    made.is_huge_ = __builtin_mul_overflow(made.whole_, std::uint64_t{10}, &made.whole_) ||
                    __builtin_add_overflow(made.whole_, digit, &made.whole_);
  }
  const auto behind = static_cast<std::size_t>(at);
  made.has_fraction_ = behind < digits.size() && digits.find_first_not_of('0', behind) != digits.npos;
  return made;
}

std::optional<WhereNumber> WhereNumber::parse_hexadecimal(std::string_view digits, bool negative) {
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return WhereNumber(negative, size);
}

std::optional<WhereNumber> WhereNumber::parse(std::string_view text, int scale) {
  std::string_view size = text;
  const bool negative = take(&size, "-");
  if (!negative) take(&size, "+");
  if (take(&size, "0x") || take(&size, "0X")) {
    return scale == 0 ? parse_hexadecimal(size, negative) : std::nullopt;
  }
  if (size == "inf" || size == "nan") {
    WhereNumber made;
    made.negative_ = negative;
    made.is_huge_ = true;
    made.value_ = size == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    if (negative) made.value_ = -made.value_;
    return made;
  }
  constexpr std::pair<std::string_view, std::pair<int, int>> kSuffixes[] = {
      {"Ki", {0, 10}}, {"Mi", {0, 20}}, {"Gi", {0, 30}}, {"Ti", {0, 40}}, {"K", {3, 0}},
      {"k", {3, 0}},   {"M", {6, 0}},   {"G", {9, 0}},   {"T", {12, 0}}};
  for (const auto& [suffix, factor] : kSuffixes) {
    if (!text.ends_with(suffix)) continue;
    text.remove_suffix(suffix.size());
    return parse_decimal(text, factor.first - scale, factor.second);
  }
  return parse_decimal(text, -scale, 0);
}

std::optional<WhereNumber> WhereNumber::parse_length(std::string_view text, int power, bool seconds) {
  // The longer ones first: each ends with the next.
  constexpr std::pair<std::string_view, int> kUnits[] = {{"ms", 6}, {"us", 3}, {"ns", 0}, {"s", 9}};
  for (const auto& [unit, of_unit] : kUnits) {
    if (!text.ends_with(unit)) continue;
    text.remove_suffix(unit.size());
    return parse_decimal(text, of_unit - power, 0);
  }
  // The others are no powers of ten.
  const bool negative = text.starts_with('-');
  const bool has_unit = !text.empty() && std::string_view("nmhd").find(text.back()) != text.npos;
  const auto ns = has_unit ? tools::parse_length(text.substr(negative ? 1 : 0)) : std::nullopt;
  if (ns) return parse_decimal(std::to_string(negative ? -*ns : *ns), -power, 0);
  return seconds ? parse_decimal(text, 9 - power, 0) : std::nullopt;
}

WhereNumber::Place WhereNumber::place(bool is_signed) const {
  using Where = Place::Where;
  const bool is_zero = whole_ == 0 && !has_fraction_ && !is_huge_;
  if (!negative_ || is_zero) {
    const std::uint64_t most = is_signed ? kWhereSign - 1 : UINT64_MAX;
    if (is_huge_ || whole_ > most || (whole_ == most && has_fraction_)) return {Where::kAboveAll, 0};
    return {has_fraction_ ? Where::kBehind : Where::kAt, is_signed ? whole_ ^ kWhereSign : whole_};
  }
  if (!is_signed || is_huge_ || whole_ > kWhereSign || (whole_ == kWhereSign && has_fraction_)) {
    return {Where::kBelowAll, 0};
  }
  const std::uint64_t at = kWhereSign - whole_;
  return has_fraction_ ? Place{Where::kBehind, at - 1} : Place{Where::kAt, at};
}

// Each operator is one of = < <=, or the opposite of one.
WhereRange::WhereRange(WhereOperator op, const WhereNumber& number, bool is_signed) {
  using Where = WhereNumber::Place::Where;
  const auto [where, key] = number.place(is_signed);
  switch (op) {
    case WhereOperator::kNotEqual:
    case WhereOperator::kGreaterOrEqual:
    case WhereOperator::kGreater:
      is_outside_ = true;
      break;
    default:
      break;
  }
  const bool is_equality = op == WhereOperator::kEqual || op == WhereOperator::kNotEqual;
  const bool is_strict = op == WhereOperator::kLess || op == WhereOperator::kGreaterOrEqual;
  if (is_equality && where == Where::kAt) {
    first_ = key;
    span_ = 0;
  } else if (is_equality || where == Where::kBelowAll || (where == Where::kAt && is_strict && key == 0)) {
    is_outside_ = !is_outside_;  // of all of them: none
  } else if (where != Where::kAboveAll) {
    span_ = where == Where::kAt && is_strict ? key - 1 : key;  // from the first of all on
  }
}

WhereRange WhereRange::in_highest(unsigned bits, bool is_signed) const {
  const unsigned unused = 64 - bits;
  const std::uint64_t all = UINT64_MAX >> unused;
  const std::uint64_t least = is_signed ? kWhereSign - (all / 2 + 1) : 0;
  const std::uint64_t from = std::max(first_, least);
  const std::uint64_t to = std::min(first_ + span_, least + all);
  WhereRange moved;
  moved.is_outside_ = is_outside_;
  if (from > to) {
    moved.is_outside_ = !is_outside_;  // of all of them: none
  } else {
    moved.first_ = (from - least) << unused;
    moved.span_ = (to - from) << unused;
  }
  return moved;
}

}  // namespace evt::tools
