#include "where_expression.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/text_syntax.h"

namespace evt::tools {
namespace {

// In the order of the enumeration.
constexpr std::string_view kProperties[] = {"time", "stream", "thread", "type", "size", "ordinal", "duration"};

std::string word_or_quoted(const std::string& text) { return is_where_word(text) ? text : in_quotes(text); }

// What binds less than what it is part of needs parentheses. So does what binds as much: it had some.
void append(std::string& out, const WhereExpression& expression, std::optional<WhereExpression::Kind> outside) {
  using Kind = WhereExpression::Kind;
  if (expression.kind == Kind::kComparison) {
    const WhereComparison& comparison = expression.comparison;
    out += where_subject_text(comparison.subject);
    out += where_operator_text(comparison.op);
    out += word_or_quoted(comparison.value);
    return;
  }
  const bool parenthesized = outside && expression.kind <= *outside && expression.kind != Kind::kNot;
  if (parenthesized) out += '(';
  if (expression.kind == Kind::kNot) out += "not ";
  const char* between = "";
  for (const WhereExpression& part : expression.parts) {
    out += between;
    append(out, part, expression.kind);
    between = expression.kind == Kind::kOr ? " or " : " and ";
  }
  if (parenthesized) out += ')';
}

std::string measure_text(const WhereSubject& subject) {
  if (subject.of.empty()) return subject.name;
  const std::string row = subject.row ? ":" + word_or_quoted(*subject.row) : "";
  return fmt::format("{}({}{})", subject.name, subject.of, row);
}

}  // namespace

std::string_view where_property_name(WhereProperty property) { return kProperties[static_cast<std::size_t>(property)]; }

std::optional<WhereProperty> where_property_of(std::string_view name) {
  const auto* const found = std::ranges::find(kProperties, name);
  if (found == std::end(kProperties)) return std::nullopt;
  return static_cast<WhereProperty>(found - std::begin(kProperties));
}

const std::vector<std::string>& where_properties() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const std::string_view name : kProperties) names.push_back("@" + std::string(name));
    return names;
  }();
  return all;
}

bool WhereExpression::same_as(const WhereExpression& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::kComparison) return comparison.same_as(other.comparison);
  return std::ranges::equal(parts, other.parts, &WhereExpression::same_as);
}

std::string where_subject_text(const WhereSubject& subject) {
  switch (subject.kind) {
    case WhereSubject::Kind::kName:
      return subject.name;
    case WhereSubject::Kind::kField:
      return in_quotes(subject.name);
    case WhereSubject::Kind::kRole:
      return "role:" + to_string(subject.role);
    case WhereSubject::Kind::kMeasure:
      return measure_text(subject);
    case WhereSubject::Kind::kProperty:
      break;
  }
  return "@" + std::string(where_property_name(subject.property));
}

std::string WhereError::in(const std::string& condition) const {
  return condition.empty() ? sentence : fmt::format("column {} of {}: {}", column, condition, sentence);
}

std::string where_text(const WhereExpression& expression) {
  std::string text;
  append(text, expression, std::nullopt);
  return text;
}

}  // namespace evt::tools
