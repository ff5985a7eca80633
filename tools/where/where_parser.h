// The language of conditions on events, which --where takes.
//
//   condition  = and { ("or" | "||") and } .
//   and        = not { ("and" | "&&") not } .
//   not        = { "not" | "!" } ( "(" condition ")" | comparison ) .
//   comparison = subject operator value .
//   subject    = word | quoted | "role:" role | "@" property .
//   operator   = "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~" .
//   value      = word | quoted .
//   property   = "time" | "stream" | "thread" | "type" | "size" | "ordinal" | "duration" .
//
// Of an assertion the subject is a measure:
//
//   measure    = word [ "(" word [ ":" ( word | quoted ) ] ")" ] .
//
// words and quotes are those of where_lexer.h; a role is one of names.h. and, or and not are subjects and values only
// in quotes. A subject in quotes is a field and nothing else; quotes around a value keep its characters together and
// change nothing else. What a comparison means is known with the fields that it is of: where_value.h, where_filter.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "where_expression.h"

namespace evt::tools {

struct WhereParsed {
  std::optional<WhereExpression> expression;
  WhereError error;  // why there is none
};

// What comparisons are of.
enum class WhereSubjects : std::uint8_t { kEvents, kMeasures };

WhereParsed parse_where(std::string_view text, WhereSubjects subjects = WhereSubjects::kEvents);

// What users must know of the language: a paragraph of a command's footer, in its help and its manual page.
std::string where_help();

}  // namespace evt::tools
