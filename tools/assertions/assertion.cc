#include "assertions/assertion.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/table_forms.h"
#include "libtrace-read/text/shown.h"
#include "where/where_parser.h"
#include "where/where_value.h"

namespace evt::tools {
namespace {

using Held = Verdict::Held;

Held opposite(Held held) { return static_cast<Held>(static_cast<int>(Held::kYes) - static_cast<int>(held)); }

Held of(bool holds) { return holds ? Held::kYes : Held::kNo; }

bool passes(WhereOperator op, int order) {
  switch (op) {
    case WhereOperator::kEqual:
      return order == 0;
    case WhereOperator::kNotEqual:
      return order != 0;
    case WhereOperator::kLess:
      return order < 0;
    case WhereOperator::kLessOrEqual:
      return order <= 0;
    case WhereOperator::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool text_passes(WhereOperator op, const std::string& text, const std::string& wanted) {
  if (!is_where_pattern(op)) return passes(op, text.compare(wanted));
  return matches_pattern(wanted, text) == (op == WhereOperator::kMatches);
}

bool number_passes(WhereOperator op, const Cell& cell, const WhereNumber& wanted) {
  if (cell.as_unsigned() != nullptr) {
    return WhereRange(op, wanted, false).contains(WhereRange::key(*cell.as_unsigned()));
  }
  if (cell.as_signed() != nullptr) return WhereRange(op, wanted, true).contains(WhereRange::key(*cell.as_signed()));
  const double value = cell.as_double();
  return passes(op, value < wanted.value() ? -1 : value > wanted.value() ? 1 : 0);
}

bool is_upper(WhereOperator op) { return op == WhereOperator::kGreater || op == WhereOperator::kGreaterOrEqual; }

// Of a number that is known to be at least so large.
Held bound_passes(WhereOperator op, bool holds) {
  if (is_upper(op)) return holds ? Held::kYes : Held::kNotKnown;
  const bool is_lower = op == WhereOperator::kLess || op == WhereOperator::kLessOrEqual;
  return is_lower && !holds ? Held::kNo : Held::kNotKnown;
}

// What the right side must be, and the number that it is.
struct Wanted {
  const char* expected;
  std::optional<WhereNumber> number;
};

bool measures_time(CellKind kind) { return kind == CellKind::kDuration || kind == CellKind::kTime; }

Wanted wanted_number(CellKind kind, std::string_view text) {
  if (measures_time(kind)) {
    return {"a length of time like 1.5, 200ms or 3us", WhereNumber::parse_length(text, 0, true)};
  }
  if (kind == CellKind::kPercent && text.ends_with('%')) text.remove_suffix(1);
  return {"a number", WhereNumber::parse(text)};
}

}  // namespace

const char* held_text(Held held) { return held == Held::kYes ? "yes" : held == Held::kNo ? "no" : "not known"; }

Result<Assertion> Assertion::parse(const std::string& text) {
  WhereParsed parsed = parse_where(text, WhereSubjects::kMeasures);
  if (!parsed.expression) return Status(Code::kInvalid, parsed.error.in(text));
  Assertion assertion;
  assertion.text_ = text;
  assertion.expression_ = *std::move(parsed.expression);
  if (Status status = assertion.add(assertion.expression_); !status.ok()) return status;
  return assertion;
}

Status Assertion::add(const WhereExpression& expression) {
  for (const WhereExpression& part : expression.parts) {
    if (Status status = add(part); !status.ok()) return status;
  }
  if (expression.kind != WhereExpression::Kind::kComparison) return {};
  const WhereComparison& comparison = expression.comparison;
  auto measure = Measure::of(comparison.subject);
  if (!measure) {
    return {Code::kInvalid, WhereError{comparison.subject_column, measure.status().message()}.in(text_)};
  }
  Comparison made{*std::move(measure), comparison.op, comparison.value, {}};
  if (made.measure.kind() != CellKind::kText) {
    const auto [expected, number] = wanted_number(made.measure.kind(), comparison.value);
    const bool is_usable = number && !number->is_nan() && !is_where_pattern(comparison.op);
    const std::string sentence = is_where_pattern(comparison.op)
                                     ? "patterns match strings, and this is " + std::string(expected)
                                     : fmt::format("expected {}, found {}", expected, comparison.value);
    if (!is_usable) return {Code::kInvalid, WhereError{comparison.value_column, sentence}.in(text_)};
    made.number = number;
    if (measures_time(made.measure.kind())) note_unit(comparison);
  }
  comparisons_.push_back(std::move(made));
  return {};
}

// In quotes it stays as it is.
void Assertion::note_unit(const WhereComparison& comparison) {
  const std::string& value = comparison.value;
  const bool lacks_unit = !value.empty() && value.find_first_not_of("+-.0123456789") == value.npos;
  const bool is_bare = std::string_view(text_).substr(0, comparison.value_end).ends_with(value);
  if (lacks_unit && is_bare) ends_without_unit_.push_back(comparison.value_end);
}

std::string Assertion::text_with_units() const {
  std::string text = text_;
  for (auto end = ends_without_unit_.rbegin(); end != ends_without_unit_.rend(); ++end) text.insert(*end, "s");
  return text;
}

void Assertion::ask(RunOptions* options) const {
  for (const Comparison& comparison : comparisons_) comparison.measure.ask(options);
}

Held Assertion::compare(const Comparison& comparison, const Cell& cell) {
  if (cell.is_empty()) return Held::kNotKnown;
  if (!comparison.number || cell.text() != nullptr) {
    return of(text_passes(comparison.op, cell_text(cell, CellKind::kText, true), comparison.text));
  }
  const bool holds = number_passes(comparison.op, cell, *comparison.number);
  return cell.is_or_more() ? bound_passes(comparison.op, holds) : of(holds);
}

Held Assertion::judge(const Comparison& comparison, const std::vector<Measure::Value>& values, Verdict* verdict) {
  const Measure::Value* decides = nullptr;
  Held held = Held::kYes;
  for (const Measure::Value& value : values) {
    const Held here = compare(comparison, value.cell);
    // The one that is nearest to failing, of those that decide alike.
    const double sign = is_upper(comparison.op) ? -1 : 1;
    const bool is_nearer = decides != nullptr && sign * value.cell.as_double() > sign * decides->cell.as_double();
    if (decides == nullptr || here < held || (here == held && is_nearer)) decides = &value;
    held = std::min(held, here);
  }
  const std::string shown_value =
      decides == nullptr || decides->cell.is_empty() ? "-" : cell_text(decides->cell, comparison.measure.kind(), false);
  verdict->value += (verdict->value.empty() ? "" : ", ") + shown_value;
  if (values.size() > 1 && decides != nullptr && !decides->row.empty()) {
    verdict->value += fmt::format(" ({})", shown(decides->row));
  }
  return held;
}

Held Assertion::judge(const WhereExpression& expression, const Trace& trace,
                      const std::vector<SessionFindings>& sessions, std::size_t* next, Verdict* verdict) const {
  if (expression.kind == WhereExpression::Kind::kComparison) {
    const Comparison& comparison = comparisons_[(*next)++];
    std::vector<Measure::Value> values = comparison.measure.values(trace, sessions);
    if (values.empty() && comparison.measure.is_count_in(sessions)) values.push_back({"", Cell(std::uint64_t{0})});
    if (values.empty()) {
      verdict->value += verdict->value.empty() ? "-" : ", -";
      if (verdict->why.empty()) {
        verdict->why = comparison.measure.absence(sessions);
      }
      return Held::kNotKnown;
    }
    return judge(comparison, values, verdict);
  }
  const bool is_or = expression.kind == WhereExpression::Kind::kOr;
  Held held = is_or ? Held::kNo : Held::kYes;
  for (const WhereExpression& part : expression.parts) {
    const Held here = judge(part, trace, sessions, next, verdict);
    held = is_or ? std::max(held, here) : std::min(held, here);
  }
  return expression.kind == WhereExpression::Kind::kNot ? opposite(held) : held;
}

Verdict Assertion::judge(const Trace& trace, const std::vector<SessionFindings>& sessions) const {
  Verdict verdict;
  std::size_t next = 0;
  verdict.held = judge(expression_, trace, sessions, &next, &verdict);
  if (verdict.held != Held::kNotKnown) verdict.why.clear();
  if (verdict.held == Held::kNotKnown && verdict.why.empty()) {
    verdict.why = "the trace lacks the value, or has only a lower bound of it";
  }
  return verdict;
}

}  // namespace evt::tools
