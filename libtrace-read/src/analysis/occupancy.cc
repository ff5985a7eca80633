#include <evt/analysis/occupancy.h>

#include <algorithm>

#include "parts.h"

namespace evt {

void Occupancy::run(const RoleEvent& event) {
  Thread& thread = grown(&threads_, event.thread);
  Cpu& cpu = grown(&cpus_, event.cpu);
  if (thread.cpu != kNone) {
    // Its stop may yet come, if their clocks differ a little.
    if (thread.cpu != event.cpu) ++doubts_.moved;
    leave(event.thread);
  }
  if (cpu.thread != kNone) {
    if (threads_[cpu.thread].uncertain_since == kCertain) ++doubts_.replaced;
    change_.replaced = cpu.thread;
    threads_[cpu.thread].cpu = kNone;
  }
  thread = {event.cpu, event.ns, kCertain};
  cpu = {event.thread, event.stream->id};
  change_.started = event.thread;
  change_.on_cpu = event.cpu;
}

void Occupancy::stop(const RoleEvent& event) {
  const Thread& thread = grown(&threads_, event.thread);
  if (thread.cpu == kNone) {
    ++doubts_.unmatched_stops;
  } else if (event.cpu != kNone && thread.cpu != event.cpu) {
    if (doubts_.moved > 0) --doubts_.moved;  // that was late, and is no news
  } else {
    leave(event.thread);
  }
}

void Occupancy::leave(std::uint32_t thread) {
  Thread& t = grown(&threads_, thread);
  if (t.cpu == kNone) return;
  change_.stopped = thread;
  change_.off_cpu = t.cpu;
  cpus_[t.cpu].thread = kNone;
  t.cpu = kNone;
}

void Occupancy::lose(const RoleEvent& event) {
  for (const Cpu& cpu : cpus_) {
    if (cpu.thread == kNone || cpu.stream != event.stream->id) continue;
    Thread& thread = threads_[cpu.thread];
    thread.uncertain_since = std::min(thread.uncertain_since, std::max(event.previous_ns, thread.since));
  }
}

}  // namespace evt
