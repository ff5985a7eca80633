// Which events a user wants to see.
#pragma once

#include <evt/trace.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "thread_choice.h"
#include "time_spec.h"
#include "where/where_filter.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::report {
struct RunOptions;
}  // namespace evt::report

namespace evt::tools {

// Streams, event types, times and conditions; what is not given is not asked for. Refers to the traces that its events
// come from. One thread at a time.
class Selection {
 public:
  // The options --from, --to, --stream, --thread, --process, --event and --where, or, for what looks into no fields,
  // --type and no --where.
  enum class Fields : std::uint8_t { kNone, kAll };
  void add_options(CLI::App& app, Fields fields = Fields::kAll);
  // --from and --to alone.
  void add_times(CLI::App& app);
  // Throws CLI::ValidationError if --to is before --from.
  void check_order() const;

  // For the reader, which leaves out what is not wanted without reading it.
  void narrow(EventOptions* options) const;
  bool wants_type(const EventType& type) const;
  // For analyses; refers to this.
  void ask(report::RunOptions* options) const;
  const std::optional<TimeSpec>& to() const { return to_; }
  // What is asked for of a session.
  TimeRange range(const Session& session) const;
  bool is_limited() const { return from_ || to_ || leaves_out_events(); }
  bool leaves_out_events() const { return !streams_.empty() || !threads_.empty() || looks_at_events(); }
  // The options that leave out events: "--stream and --where"; empty if none does.
  std::string filters() const;
  bool looks_at_events() const { return !events_.empty() || !where_.empty(); }
  bool has_conditions() const { return !where_.empty(); }
  bool has_types() const { return !events_.empty(); }
  const ThreadChoice& threads() const { return threads_; }
  // What the reader cannot know: the type and the values. Patterns are compared once for each type.
  bool wants(const Event& event) const { return wants_of_any_thread(event) && wants_thread(event); }
  // The same in two parts: without threads and with the stream, for what reads more events than are wanted; and the
  // threads, of an event whose thread may be known.
  bool counts(const Event& event) const { return remembers_stream(event.stream()) && wants_of_any_thread(event); }
  bool wants_thread(const Event& event, const Actor* thread = nullptr) const {
    return threads_.empty() || threads_.wants(event, thread);
  }
  // Before it is asked about the events of these traces, and of no others any more: finds out what the names in --where
  // are in them. Errors: kInvalid.
  Status resolve(const std::vector<const Trace*>& traces);
  // After that, of each of them: finds out which are the threads and processes.
  void look_at(Trace& trace) { threads_.look_at(trace); }
  // Sentences about what is asked for and is in none of these traces. REQUIRES: resolved in them.
  std::vector<std::string> nowhere_in(const std::vector<const Trace*>& traces) const;

 private:
  bool wants_of_any_thread(const Event& event) const {
    return (events_.empty() || remembers_type(event.type())) && (where_.empty() || where_.holds_for(event));
  }
  // A value of --to; false if it is no time. Throws as check_order() does.
  bool take_to(const std::string& text);
  void add_filters(CLI::App& app, Fields fields);
  bool wants_stream(const StreamInfo& stream) const;
  bool remembers_type(const EventType& type) const;
  bool remembers_stream(const StreamInfo& stream) const;

  std::optional<TimeSpec> from_;
  std::optional<TimeSpec> to_;
  std::vector<std::string> streams_;  // patterns
  std::vector<std::string> events_;
  WhereFilter where_;
  ThreadChoice threads_;
  // The answers of wants_type for types met among events.
  mutable std::unordered_map<const EventType*, bool> declared_;
  mutable std::unordered_map<const StreamInfo*, bool> known_streams_;
  mutable std::unordered_map<std::uint32_t, bool> undeclared_;  // by number, which is all that their name has
};

}  // namespace evt::tools
