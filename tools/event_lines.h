// How events are printed.
#pragma once

#include <evt/trace.h>

#include <string>

#include "text_buffer.h"

namespace evt::tools {

// One trace's events after another, each appended to the output's text.
class EventLines {
 public:
  EventLines() = default;
  EventLines(const EventLines&) = delete;
  EventLines& operator=(const EventLines&) = delete;
  virtual ~EventLines() = default;

  // Called once for each trace; `file` is how the user calls it. It lives until the next call, or end().
  virtual void begin(TextBuffer& out, const std::string& file, const Trace& trace) = 0;
  virtual void append(TextBuffer& out, const Event& event) = 0;
  virtual void end(TextBuffer&) {}  // of each trace
};

// The stream's name, or #id where it has none; a type's as people see it.
std::string shown_stream(const StreamInfo& stream);
std::string shown_type(const Event& event);
// The place of an event's session in its trace.
std::size_t session_index(const Trace& trace, const Event& event);

}  // namespace evt::tools
