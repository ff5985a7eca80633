// A field's value as text.
#pragma once

#include <evt/trace.h>

#include <string>

#pragma GCC visibility push(default)
namespace evt {

// A value as in evt dump: 42, -1.5, true, a label or an interned text if it has one, "text" in quotes with control
// characters escaped, 0x00ff, [1 2 3], times in seconds. Complete, however long it is.
std::string value_text(const Event& event, const Value& value);

// A value as JSON: numbers unchanged, times in nanoseconds, labels, text and bytes as strings, sequences as arrays.
std::string value_json(const Event& event, const Value& value);

}  // namespace evt
#pragma GCC visibility pop
