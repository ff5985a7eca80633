// What a comparison means for a field of some kind.
//
//   whole numbers      by value, exactly: 10, 0x1f, 1.5, 4K; of a unit of time (such as microseconds) also 200ms
//   floats             by value, the number rounded to the field's width; nan equals nan, and is not in any order
//   bool               true is 1, false is 0
//   enumerations       by number, or by a label that one value alone has
//   ticks              a moment as in --from; tick deltas: a length of time, seconds or with a unit
//   text, interned     byte by byte; if the same name is a number in another type, and the value is one, < <= > >= are
//                      of numbers alone
//   bytes              0x..., byte by byte
//
// ~ matches a pattern (* ? [a-z]) with texts, with labels and with bytes as 0x...; other kinds have none. Of a sequence
// one element is enough, for != and !~ too.
#pragma once

#include <evt/trace.h>

#include <functional>
#include <optional>
#include <string>

#include "where_expression.h"
#include "where_number.h"

namespace evt::tools {

// Whether a value passes; REQUIRES: no sequence. Not for two threads at a time.
using WhereValueTest = std::function<bool(const Event&, const Value&)>;

struct WhereBound {
  std::string error;       // why they cannot be compared; empty: they can
  std::size_t column = 1;  // of what is wrong
  WhereValueTest test;
  std::optional<WhereRange> range;  // of an integer as it is stored: the same test
};

// Keeps nothing of the comparison and of the field. The session is where the field's type is declared.
WhereBound bind_where(const WhereComparison& comparison, const Field& field, const Session& session);

// The same for properties: a moment of the session, and a number that is no field. `error` only when `range` is not
// set.
WhereBound bind_where_moment(const WhereComparison& comparison, const Session& session);
WhereBound bind_where_number(const WhereComparison& comparison);
WhereBound bind_where_length(const WhereComparison& comparison);  // of time, in ns

// Whether a text is what `pattern` describes, for the operators = and ~ of names: a pattern of a shell.
bool matches_pattern(const std::string& pattern, std::string_view text);

}  // namespace evt::tools
