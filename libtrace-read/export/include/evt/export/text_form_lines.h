// The text form of a trace (format-spec/TEXT.md) as lines of its events. They must come ordered by nanoseconds.
#pragma once

#include <evt/export/event_lines.h>

#include <memory>

#pragma GCC visibility push(default)
namespace evt {

std::unique_ptr<EventLines> text_form_lines();

}  // namespace evt
#pragma GCC visibility pop
