// A trace -> its text form (format-spec/TEXT.md).
#pragma once

#include <evt/trace.h>

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "event_text.h"

namespace evt::tools {

// Makes the lines of one event after another; each type, stream and string stands just before the first event that
// needs it. Refers to the trace that the events come from.
class TextFormWriter : private ValueStyle {
 public:
  explicit TextFormWriter(const Trace& trace) : trace_(trace) {}

  // The lines of the next event, with all that must stand before it. Events come from Trace::events with markers, by
  // ns.
  void append(std::string& out, const Event& event);
  // What no event needed, and the ends of sessions.
  void append_end(std::string& out);

 private:
  struct SessionLines {
    std::set<std::uint32_t> streams;                            // written
    std::set<const EventType*> types;                           // written
    std::set<std::uint32_t> strings;                            // written
    std::unordered_map<std::string_view, std::uint32_t> texts;  // how many ids have it
    std::unordered_map<std::string_view, std::uint32_t> names;  // how many types have it
  };

  void go_to(std::string& out, const Session& session);
  void begin_session(std::string& out, const Session& session);
  void end_session(std::string& out);
  void declare_type(std::string& out, const EventType& type);
  void declare_stream(std::string& out, const StreamInfo& stream);
  void declare_strings(std::string& out, const Event& event);
  void declare_string(std::string& out, std::uint32_t id, const std::string& text);
  const std::string* name_of(const Event& event, std::uint32_t id) override;

  const Trace& trace_;
  std::size_t next_session_ = 0;
  const Session* session_ = nullptr;
  SessionLines lines_;
};

}  // namespace evt::tools
