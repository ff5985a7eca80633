// Which events a user wants to see.
#pragma once

#include <evt/trace.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "input/asked_times.h"
#include "input/thread_choice.h"
#include "where/where_filter.h"

namespace evt::report {
struct RunOptions;
}  // namespace evt::report

namespace evt::tools {

// Streams, event types, times and conditions; what is not given is not asked for. Refers to the traces that its events
// come from. One thread at a time.
class Selection : public AskedRange {
 public:
  std::vector<std::string> streams{};  // patterns
  ThreadChoice threads{};
  std::vector<std::string> events{};
  WhereFilter where{};

  // For the reader, which leaves out what is not wanted without reading it.
  void narrow(EventOptions* options) const;
  bool wants_type(const EventType& type) const;
  // For analyses; refers to this.
  void ask(report::RunOptions* options) const;
  bool is_limited() const { return from || to || leaves_out_events(); }
  bool leaves_out_events() const { return !streams.empty() || !threads.empty() || looks_at_events(); }
  // The options that leave out events: "--stream and --where"; empty if none does.
  std::string filters() const;
  bool looks_at_events() const { return !events.empty() || !where.empty(); }
  bool has_conditions() const { return !where.empty(); }
  bool has_types() const { return !events.empty(); }
  // What the reader cannot know: the type and the values. Patterns are compared once for each type.
  bool wants(const Event& event) const { return wants_of_any_thread(event) && wants_thread(event); }
  // The same in two parts: without threads and with the stream, for what reads more events than are wanted; and the
  // threads, of an event whose thread may be known.
  bool counts(const Event& event) const { return remembers_stream(event.stream()) && wants_of_any_thread(event); }
  bool wants_thread(const Event& event, const Actor* thread = nullptr) const {
    return threads.empty() || threads.wants(event, thread);
  }
  // Before it is asked about the events of these traces, and of no others any more: finds out what the names in --where
  // are in them. Errors: kInvalid.
  Status resolve(const std::vector<const Trace*>& traces);
  // After that, of each of them: finds out which are the threads and processes, and how long spans are.
  void look_at(Trace& trace) {
    threads.look_at(trace);
    where.look_at(trace);
  }
  // Sentences about what is asked for and is in none of these traces. REQUIRES: resolved in them.
  std::vector<std::string> nowhere_in(const std::vector<const Trace*>& traces) const;

 private:
  bool wants_of_any_thread(const Event& event) const {
    return (events.empty() || wants_type_again(event.type())) && (where.empty() || where.holds_for(event));
  }
  bool wants_stream(const StreamInfo& stream) const;
  // Most events are of the type of the one before.
  bool wants_type_again(const EventType& type) const {
    if (&type == latest_.type) return latest_.is_wanted;
    const bool is_wanted = remembers_type(type);
    if (type.declared()) latest_ = {&type, is_wanted};  // others have an address in common
    return is_wanted;
  }
  bool remembers_type(const EventType& type) const;
  bool remembers_stream(const StreamInfo& stream) const;

  struct Latest {
    const EventType* type = nullptr;
    bool is_wanted = false;
  };

  mutable Latest latest_;
  // The answers of wants_type for types met among events.
  mutable std::unordered_map<const EventType*, bool> declared_;
  mutable std::unordered_map<const StreamInfo*, bool> known_streams_;
  mutable std::unordered_map<std::uint32_t, bool> undeclared_;  // by number, which is all that their name has
};

}  // namespace evt::tools
