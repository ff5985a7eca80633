// For sessions by the machine's clock that are to have the events of the test alone.
#pragma once

#include <evt/writer.h>

namespace evt::testing {

// How long the writer works, and whether the machine stops, depends on the machine.
inline void leave_out_events_of_writer(Writer& writer) {
  writer.switch_types("trace.overhead", false);
  writer.switch_types("process.stopped", false);
}

}  // namespace evt::testing
