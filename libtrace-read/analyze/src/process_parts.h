// Which part of a merged session is a process.
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

  // Of the process that an event of part `own` is about, by its field of that role and by when it was; without one, or
  // if the number means nothing in other parts, `own`. Actor::kNone: of none.
  std::uint32_t of(const Event& event, const Actors::Impl& actors, std::uint32_t own, std::int64_t ns) const;

 private:
  struct Part {
    std::uint64_t process = 0;  // 0: not known
    std::int64_t first_ns = INT64_MAX;
  };
  std::vector<Part> parts_;
};

}  // namespace evt
