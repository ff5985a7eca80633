// The text form of a trace (format-spec/TEXT.md) as lines of its events. They must come ordered by nanoseconds.
#pragma once

#include <memory>

#include "event_lines.h"

namespace evt::tools {

std::unique_ptr<EventLines> canonical_lines();

}  // namespace evt::tools
