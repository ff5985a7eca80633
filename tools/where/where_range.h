// Which of the 64-bit integers pass a comparison with a number: those in a range, or those outside of one.
#pragma once

#include <cstdint>

#include "where_expression.h"
#include "where_number.h"

namespace evt::tools {

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
