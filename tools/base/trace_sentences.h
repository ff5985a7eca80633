// What there is to say of a trace that was read: losses, damage, what is missing or not known, how its sessions ended.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace evt::tools {

// Values of time fields that are from before a step of their clock, so that it is not known when they were.
class UnknownTimes {
 public:
  // Sessions of one clock have none, and cost nothing.
  void add(const Event& event) {
    if (event.session().clocks.size() > 1) count(event);
  }
  // Of all openings of the session.
  std::uint64_t of(const Session& session) const;

 private:
  void count(const Event& event);

  std::map<Session::Uuid, std::uint64_t> counts_;
};

// Sentences in the order in which a reader needs them, without the name of the file. `unknown_times`: those that were
// met among the events. `ends_are_shown`: the reader knows which sessions were killed without a loss.
std::vector<std::string> trace_sentences(const Trace& trace, const UnknownTimes& unknown_times,
                                         bool ends_are_shown = false);
// A sentence about each place, or the first ones and how many there are.
std::vector<std::string> damage_sentences(const std::vector<Damage>& damage);

// The same of a trace that still grows: nothing about its end.
std::vector<std::string> growing_sentences(const Trace& trace);

// Of a session whose ring was read to its end: "nothing is lost", or "nothing else is lost" where losses and missing
// rows are counted; empty where there is damage, which may have taken what cannot be counted.
std::string_view nothing_lost(const Trace& trace, const Session& session);

// That what was made of the trace lacks blocks which this version skips: all of them, or those that are not copyable.
// Empty where it lacks none.
std::string left_out_sentence(const Trace& trace, bool keeps_copyable);

// What copies state of the sessions that they were made of: whose end is not in them.
std::vector<std::string> missing_ends(const Trace& trace);

}  // namespace evt::tools
