// What the names in a condition are, in the traces that it is asked of.
#pragma once

#include <evt/trace.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "where_expression.h"

namespace evt::tools {

// Whether a user wants to see events of a type.
using WantsType = std::function<bool(const EventType&)>;

// Makes a field of each bare name that a wanted type has a field of, and a property of each other one; checks that with
// each field some wanted type has, the value can be compared. What is wrong first. `!lost` events are of a type, too.
std::optional<WhereError> resolve_where(WhereExpression* expression, const std::vector<const Trace*>& traces,
                                        const WantsType& wants_type);

// Sentences about names that mean fields and could mean properties.
std::vector<std::string> where_doubts(const WhereExpression& expression);

// Those of the comparisons that are of durations, where they are in the expression.
std::vector<const WhereComparison*> where_durations(const WhereExpression& expression);

// Sentences about streams and types that it asks for and that are in none of the traces, and about fields that no event
// has all of.
std::vector<std::string> where_nowhere_in(const WhereExpression& expression, const std::vector<const Trace*>& traces);

}  // namespace evt::tools
