// What is read of a GHC eventlog, as text that a test can compare in full.
#pragma once

#include "core/reading.h"
#include "ghc_log.h"

namespace evt::testing {

// Events with their streams' names, then what is wrong.
inline std::string reading_of(const std::string& log) {
  auto opened = Trace::from_memory(as_bytes(log));
  if (!opened) return code_of(opened.status()) + ": " + opened.status().message() + "\n";
  Trace& trace = *opened;
  std::string text = event_lines(text_of(trace));
  for (const Damage& damage : trace.damage()) {
    text +=
        "damage " + std::to_string(damage.offset) + "+" + std::to_string(damage.length) + ": " + damage.reason + "\n";
  }
  for (const std::string& note : trace.notes()) text += "note: " + note + "\n";
  for (const Session& session : trace.sessions()) {
    if (!session.closed) text += "truncated\n";
  }
  return text;
}

}  // namespace evt::testing
