// A number as a condition has it: exact against whole numbers of 64 bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "where_expression.h"

namespace evt::tools {

class WhereNumber {
 public:
  // 10, -5, 1.5, 2e3, .5; 0x1f; with K M G T for thousands (10K, 1.5M), Ki Mi Gi Ti for times 1024; inf and nan.
  // Nothing for a text that is no number, and for one that no double comes near (1e400).
  // As a number of 10^`scale`.
  static std::optional<WhereNumber> parse(std::string_view text, int scale = 0);
  // A length of time, as a number of a unit: 10^`power` nanoseconds. 1.5s, 200ms, 3us, 10ns, -2s; and without a unit,
  // 1.5, if `seconds`.
  static std::optional<WhereNumber> parse_length(std::string_view text, int power, bool seconds);

  static WhereNumber of(std::int64_t number) { return {number < 0, number < 0 ? 0 - bits(number) : bits(number)}; }
  static WhereNumber of(std::uint64_t number) { return {false, number}; }

  // The nearest double, and the nearest float if there is one that is finite.
  double value() const { return value_; }
  std::optional<float> single() const { return single_; }
  bool is_nan() const { return std::isnan(value_); }

  // Against 64-bit integers, signed or not: where this number is in their order. The order counts from 0 on; signed
  // numbers are in it with their highest bit turned.
  struct Place {
    enum class Where : std::uint8_t { kBelowAll, kAt, kBehind, kAboveAll };  // kBehind: between `key` and the next one
    Where where = Where::kAt;
    std::uint64_t key = 0;
  };
  // REQUIRES: not nan.
  Place place(bool is_signed) const;

 private:
  WhereNumber() = default;
  // A whole number.
  WhereNumber(bool negative, std::uint64_t size);

  static std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }
  static std::optional<WhereNumber> parse_decimal(std::string_view text, int power, int doublings);
  static std::optional<WhereNumber> parse_hexadecimal(std::string_view digits, bool negative);

  bool negative_ = false;
  bool is_huge_ = false;  // 2^64 at least
  bool has_fraction_ = false;
  std::uint64_t whole_ = 0;  // of its size
  double value_ = 0;
  std::optional<float> single_;  // rounded once: by way of a double it might be another one
};

// The highest bit of signed numbers turned: they are in order as unsigned ones.
inline constexpr std::uint64_t kWhereSign = std::uint64_t{1} << 63;

// Which of the 64-bit integers pass a comparison with a number: those in a range, or those outside of one.
class WhereRange {
 public:
  WhereRange() = default;  // all of them
  // REQUIRES: `op` is none of the two that match patterns, `number` is not nan.
  WhereRange(WhereOperator op, const WhereNumber& number, bool is_signed);

  // A key is a number's place in the order of all: an unsigned one itself, a signed one with its highest bit turned.
  static std::uint64_t key(std::uint64_t number) { return number; }
  static std::uint64_t key(std::int64_t number) { return static_cast<std::uint64_t>(number) ^ kWhereSign; }
  bool contains(std::uint64_t key) const { return (key - first_ <= span_) != is_outside_; }

  // The same for numbers of this many bits in the highest bits of their keys, with zeros below.
  WhereRange in_highest(unsigned bits, bool is_signed) const;

 private:
  std::uint64_t first_ = 0;
  std::uint64_t span_ = UINT64_MAX;  // to the last, which is included
  bool is_outside_ = false;
};

}  // namespace evt::tools
