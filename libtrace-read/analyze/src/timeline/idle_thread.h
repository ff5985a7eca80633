// A pseudo-thread: what cpus run when they have nothing to do.
#pragma once

#include <evt/analysis/actor_list.h>

namespace evt {

// Identifies a thread among those that shared one number, by its creation.
struct IdleThread {
  explicit IdleThread(const Actor& thread) : number(thread.number), part(thread.part), created_ns(thread.created_ns) {}
  bool operator==(const IdleThread&) const = default;

  std::uint64_t number;
  std::uint32_t part;
  std::optional<std::int64_t> created_ns;
};

}  // namespace evt
