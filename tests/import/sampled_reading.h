// What is read of a file of samples, as text that a test can compare in full.
#pragma once

#include <evt/analysis/stated_stacks.h>
#include <fmt/core.h>

#include "eventlog_reading.h"

namespace evt::testing {

// Each sample with its time, thread and weight, and its stack, the innermost frame first; then what is wrong.
inline std::string samples_of(const std::string& file) {
  auto opened = Trace::from_memory(as_bytes(file));
  if (!opened) return code_of(opened.status()) + ": " + opened.status().message() + "\n";
  Trace& trace = *opened;
  StatedStacks stacks(trace.sessions().front());
  std::string text;
  for (const Event& event : trace.events({.markers = true})) {
    text += fmt::format("{} {} ", event.ns(), event.stream().name);
    if (event.is_lost()) {
      text += fmt::format("lost {}\n", event.value("count")->as_unsigned());
      continue;
    }
    const std::uint64_t weight = event.number(Role::kWeight).value_or(event.number(Role::kDuration).value_or(0));
    text += fmt::format("{} {}:", event.type().name(), weight);
    for (const std::uint32_t number : *stacks.stack_of(event).frames) {
      const StatedStacks::Frame& frame = stacks.frame(number);
      text += " " + frame.name();
      if (!frame.module.empty()) text += " in " + frame.module;
      if (frame.line != 0) text += fmt::format(" line {}", frame.line);
      text += ",";
    }
    text.back() = '\n';
  }
  for (const Damage& damage : trace.damage()) {
    text += fmt::format("damage {}+{}: {}\n", damage.offset, damage.length, damage.reason);
  }
  for (const std::string& note : trace.notes()) text += "note: " + note + "\n";
  return text;
}

}  // namespace evt::testing
