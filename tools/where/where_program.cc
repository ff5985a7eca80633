#include "where_program.h"

#include <utility>
#include <variant>

namespace evt::tools {

WhereProgram::WhereProgram(const WhereExpression& expression, const EventType& type, WhereSession& session)
    : first_(add(expression, kYes, kNo, type, session)) {}

// From the last part to the first: each must know where the next one begins. A comparison whose answer is known makes
// no step, so that an expression whose answer it decides has none either.
std::uint32_t WhereProgram::add(const WhereExpression& expression, std::uint32_t if_true, std::uint32_t if_false,
                                const EventType& type, WhereSession& session) {
  switch (expression.kind) {
    case WhereExpression::Kind::kNot:
      return add(expression.parts.front(), if_false, if_true, type, session);
    case WhereExpression::Kind::kAnd:
      for (auto part = expression.parts.rbegin(); part != expression.parts.rend(); ++part) {
        if_true = add(*part, if_true, if_false, type, session);
      }
      return if_true;
    case WhereExpression::Kind::kOr:
      for (auto part = expression.parts.rbegin(); part != expression.parts.rend(); ++part) {
        if_false = add(*part, if_true, if_false, type, session);
      }
      return if_false;
    case WhereExpression::Kind::kComparison:
      break;
  }
  auto made = WhereTest::make(expression.comparison, type, session);
  if (const bool* const known = std::get_if<bool>(&made)) return *known ? if_true : if_false;
  steps_.push_back({std::get<WhereTest>(std::move(made)), {if_false, if_true}});
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

}  // namespace evt::tools
