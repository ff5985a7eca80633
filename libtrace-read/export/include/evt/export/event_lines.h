// How events are printed.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <string>

#pragma GCC visibility push(default)
namespace evt {

// One trace's events after another, each appended to the output's text.
class EventLines {
 public:
  EventLines() = default;
  EventLines(const EventLines&) = delete;
  EventLines& operator=(const EventLines&) = delete;
  virtual ~EventLines() = default;

  // Called once for each trace; `file` is the user's name for it. It lives until the next call, or end(). If there is
  // one file, each further call is for the same trace, opened again as it grows.
  virtual void begin(TextBuffer& out, const std::string& file, const Trace& trace) = 0;
  virtual void append(TextBuffer& out, const Event& event) = 0;
  virtual void end(TextBuffer&) {}  // called for each trace
};

}  // namespace evt
#pragma GCC visibility pop
