// Units for people.
#pragma once

#include <evt/value.h>

#include <string>

#pragma GCC visibility push(default)
namespace evt {

// "ns", "B", "%", or a text from the trace; empty for a field without a unit, and for a count.
std::string unit_text(const Field& field);

}  // namespace evt
#pragma GCC visibility pop
