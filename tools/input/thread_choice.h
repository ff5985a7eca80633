// The threads and processes that a user wants.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/trace.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "input/stream_turns.h"

namespace evt::tools {

// Patterns of names, numbers and labels, as tables print them; what is not given is not asked for. An event belongs
// to the thread that it names by a field of role thread, or else to the thread that runs on its stream, or else to the
// stream's own thread. Refers to the traces that were looked at. Used by one thread at a time.
class ThreadChoice {
 public:
  std::vector<std::string> threads;    // one is enough
  std::vector<std::string> processes;  // the same; of a thread, both must hold

  bool empty() const { return threads.empty() && processes.empty(); }
  // Forgets the traces that were looked at.
  void clear();
  // Before it is asked about events of the trace: finds out which threads these are, which reads the trace once.
  void look_at(Trace& trace);

  // REQUIRES, of all three: its trace was looked at. `thread`: that the event is of, where that is known.
  bool wants(const Event& event, const Actor* thread = nullptr) const;
  bool wants(const Session& session, const StreamInfo& stream, const EventType& type, Bytes fields,
             std::uint64_t ordinal) const;
  // Sentences about what none of the traces has.
  std::vector<std::string> nowhere() const;

 private:
  struct InSession {
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> threads;  // numbers, with their parts
    std::vector<bool> streams;                                              // by place: what is their own
    std::vector<std::uint32_t> parts;                                       // of streams
    StreamTurns turns;
    bool has(std::uint64_t number, std::uint32_t part) const;
    bool has_unnamed(std::size_t stream, std::uint64_t ordinal) const;
  };
  // What a pattern is compared with, of all that there are.
  struct Known {
    std::vector<bool> is_met;         // by pattern
    std::vector<std::string> labels;  // of the first ones, as sentences list them
    std::set<std::string> names;      // all
    bool matches(const std::vector<std::string>& patterns, const std::vector<std::string>& names_of_one,
                 bool is_listed = true);
    void add_nowhere(const char* what, const std::vector<std::string>& patterns,
                     std::vector<std::string>* sentences) const;
  };

  void look_at(const Session& session, Actors& actors);
  bool wants_thread(const Session& session, std::uint64_t number, const StreamInfo& stream, Scope scope) const;
  const InSession& in(const Session& session) const { return sessions_.at(&session); }

  std::map<const Session*, InSession> sessions_;
  Known known_threads_;
  Known known_processes_;
  bool has_others_ = false;
  bool are_turns_too_many_ = false;
};

}  // namespace evt::tools
