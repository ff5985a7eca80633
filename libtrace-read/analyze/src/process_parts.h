// Finds the part of a merged session that is a process.
#pragma once

#include <evt/event.h>

#include <cstdint>
#include <vector>

#include "actors_impl.h"

namespace evt {

// Refers to the session.
class ProcessParts {
 public:
  explicit ProcessParts(const Session& session);

  // The part of the process that an event of part `own` is about, from its field of that role and its time; without
  // one, or if the number means nothing in other parts, `own`. Actor::kNone: no part.
  std::uint32_t of(const Event& event, const Actors::Impl& actors, std::uint32_t own, std::int64_t ns) const;

 private:
  struct Part {
    std::uint64_t process = 0;  // 0: not known
    std::int64_t first_ns = INT64_MAX;
  };
  std::vector<Part> parts_;
};

}  // namespace evt
