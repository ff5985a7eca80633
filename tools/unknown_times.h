// Values of time fields that are from before a step of their clock, so that it is not known when they were.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <map>

namespace evt::tools {

class UnknownTimes {
 public:
  // Sessions of one clock have none, and cost nothing.
  void add(const Event& event) {
    if (event.session().clocks.size() > 1) count(event);
  }
  // Those of a trace are from now on those of a later opening of it, whose first sessions are the same.
  void carry(const Trace& before, const Trace& now);
  std::uint64_t of(const Session& session) const;

 private:
  void count(const Event& event);

  std::map<const Session*, std::uint64_t> counts_;
};

}  // namespace evt::tools
