#include "where_operator.h"

#include <cstddef>

namespace evt::tools {

std::string_view where_operator_text(WhereOperator op) {
  // In the order of the enumeration.
  static constexpr std::string_view kTexts[] = {"=", "!=", "<", "<=", ">", ">=", "~", "!~"};
  return kTexts[static_cast<std::size_t>(op)];
}

bool is_where_order(WhereOperator op) { return op >= WhereOperator::kLess && op <= WhereOperator::kGreaterOrEqual; }

bool is_where_pattern(WhereOperator op) { return op >= WhereOperator::kMatches; }

}  // namespace evt::tools
