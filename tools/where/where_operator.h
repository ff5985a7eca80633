// What a condition on events may compare by.
#pragma once

#include <cstdint>
#include <string_view>

namespace evt::tools {

enum class WhereOperator : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kMatches,
  kMatchesNot
};
std::string_view where_operator_text(WhereOperator op);
bool is_where_order(WhereOperator op);    // < <= > >=
bool is_where_pattern(WhereOperator op);  // ~ !~

}  // namespace evt::tools
