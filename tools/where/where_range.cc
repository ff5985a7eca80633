#include "where_range.h"

#include <algorithm>

namespace evt::tools {

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
