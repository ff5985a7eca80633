// What is true of a whole session, where only a part of it is read.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace evt {

// Of threads that had one number, the one that was created then.
struct IdleThread {
  explicit IdleThread(const Actor& thread) : number(thread.number), part(thread.part), created_ns(thread.created_ns) {}
  bool operator==(const IdleThread&) const = default;

  std::uint64_t number;
  std::uint32_t part;
  std::optional<std::int64_t> created_ns;
};

// Whether any event records that a thread runs or stops. Reads up to the first one.
bool records_runs(Trace& trace, const Session& session);

// The threads of number 0 that cpus run when they have nothing to do, as they run on two at a time. Reads up to this
// time; and then on until none is left that may be one.
std::vector<IdleThread> idle_threads(Trace& trace, std::size_t session, std::uint32_t most_threads, std::int64_t to_ns);

}  // namespace evt
