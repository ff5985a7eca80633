// What evt check found, for people and for programs.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/report.h"

namespace evt::tools {

// Events whose payloads do not hold what their types declare: their program recorded values of other sizes than it
// declared. No checksum shows that, and readers give what is there for fields. These are of one type.
struct Misfit {
  std::string type;
  std::uint64_t events = 0;
  std::size_t first_size = 0;  // bytes of the payload of the first one
};

// Takes the events of one session after the other.
class Misfits {
 public:
  void add(const Event& event);
  // Ends the session; by the numbers of types.
  std::vector<Misfit> finish();

 private:
  std::map<std::uint32_t, Misfit> found_;
};

std::string sentence_of(const Misfit& misfit);

// What reading a session's events has shown.
struct Counted {
  std::uint64_t events = 0;
  std::vector<Misfit> misfits;
  std::uint64_t unknown_times = 0;  // in fields
};

// `counted`: each session. For people a line for each; damage, losses and what is missing are reported on standard
// error.
void append_findings(TextBuffer& out, const std::string& file, const Trace& trace, const std::vector<Counted>& counted);
// One object, in a line, with all of it; times in nanoseconds since the session's start. `breaches`: what its writer
// must not have written. `report` has what of the trace could not be read.
void append_findings_as_json(TextBuffer& out, const std::string& file, const Trace& trace,
                             const std::vector<Counted>& counted, const std::vector<Damage>& breaches,
                             const Report& report);

}  // namespace evt::tools
