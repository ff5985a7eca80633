// The content of a state of a session, in words.
#pragma once

#include <evt/analysis/state_history.h>
#include <fmt/core.h>

#include <string>

namespace evt::testing {

// All of it, so that two that differ anywhere differ here.
inline std::string words_of(const SessionState& state, std::int64_t ns) {
  std::string words = fmt::format("{} events\n", state.counts.all());
  for (const CpuTime::Cell& cell : state.cpu.cells(ns)) {
    words += fmt::format("{} on {}: {} ns, {} slices, {} uncertain, current {}{}\n", cell.thread, cell.cpu, cell.ns,
                         cell.slices, cell.uncertain_ns, state.cpu.current(cell.thread, ns),
                         state.cpu.runs(cell.thread) ? ", runs" : "");
  }
  for (const ActorList& list : {state.actors.threads(), state.actors.cpus()}) {
    for (const Actor& actor : list.all()) {
      words += fmt::format("{} {} {} \"{}\"{}{}{}\n", actor.number, actor.part, actor.is_stream, actor.name,
                           actor.has_ended ? ", ended" : "", actor.is_idle ? ", idle" : "",
                           actor.created_ns ? fmt::format(", created {}", *actor.created_ns) : "");
    }
  }
  const Timeline::Doubts& doubts = state.doubts;
  words += fmt::format("doubts {} {} {} {}\n", doubts.unmatched_stops, doubts.replaced, doubts.moved, doubts.jumps);
  for (const auto& [type, events] : state.counts.since({}, state.actors.session())) {
    words += fmt::format("{} {}\n", type->name(), events);
  }
  return words;
}

}  // namespace evt::testing
