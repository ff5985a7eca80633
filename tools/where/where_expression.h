// A condition on events as a tree, and the tree as text. where_parser.h has the grammar.
#pragma once

#include <evt/schema.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "where_lexer.h"

namespace evt::tools {

// What an event has beside its fields.
enum class WhereProperty : std::uint8_t { kTime, kStream, kThread, kType, kSize, kOrdinal, kDuration };
// Without the @ in front.
std::string_view where_property_name(WhereProperty property);
std::optional<WhereProperty> where_property_of(std::string_view name);
// All of them, with the @.
const std::vector<std::string>& where_properties();

// What is compared: the left side of an operator.
struct WhereSubject {
  enum class Kind : std::uint8_t {
    kName,      // a field, or a property if no field is called so: which one is known only with the traces
    kField,     // a name that was in quotes
    kRole,      // the first field of an event with this role
    kProperty,  // of the event itself
    kMeasure,   // of an assertion: of a trace, not of an event
  };
  Kind kind = Kind::kName;
  std::string name;  // of kName and kField; of kMeasure, what is in front of the parenthesis, or all of it
  // Of kMeasure, what is in parentheses: max(span:sum) is of `span`, and there of `sum`. Empty: there is nothing.
  std::string of;
  std::optional<std::string> row;
  Role role = Role::kNone;
  WhereProperty property = WhereProperty::kTime;

  friend bool operator==(const WhereSubject&, const WhereSubject&) = default;
};

struct WhereComparison {
  WhereSubject subject;
  WhereOperator op = WhereOperator::kEqual;
  std::string value;
  // Found out with the traces: some type has a number there, so the order that is meant is not that of texts.
  bool is_of_numbers = false;
  // Where subject and value begin in the text, for messages.
  std::size_t subject_column = 1;
  std::size_t value_column = 1;
  std::size_t value_end = 0;  // bytes of the text up to the end of the value, and of its quotes

  bool same_as(const WhereComparison& other) const {
    return subject == other.subject && op == other.op && value == other.value;
  }
};

struct WhereExpression {
  enum class Kind : std::uint8_t { kOr, kAnd, kNot, kComparison };
  Kind kind = Kind::kComparison;
  std::vector<WhereExpression> parts;  // two or more of kOr and kAnd, one of kNot
  WhereComparison comparison;          // of kComparison

  // The same tree, wherever its parts were in the text.
  bool same_as(const WhereExpression& other) const;
};

std::string where_subject_text(const WhereSubject& subject);
// What parses as the same tree.
std::string where_text(const WhereExpression& expression);

// What is wrong with a condition. Columns count characters from 1 on; the one behind the text is where something lacks.
struct WhereError {
  std::size_t column = 1;
  std::string sentence;

  // As users are told.
  std::string in(const std::string& condition) const;
};

}  // namespace evt::tools
