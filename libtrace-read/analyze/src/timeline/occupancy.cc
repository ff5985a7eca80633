#include "occupancy.h"

#include <algorithm>
#include <utility>

#include "libtrace-read/analyze/src/parts.h"

namespace evt {

void Occupancy::run(const RoleEvent& event) {
  if (event.thread == Actor::kOthers || event.cpu == Actor::kOthers) return run_of_others(event);
  Thread& thread = grown(&threads_, event.thread);
  Cpu& cpu = grown(&cpus_, event.cpu);
  std::uint32_t moved_from = 0;
  if (thread.cpu != kNone) {
    // Its stop may yet come, if their clocks differ a little.
    if (thread.cpu != event.cpu) {
      ++doubts_.moved;
      moved_from = cpus_[thread.cpu].stream;
    }
    leave(event.thread);
  }
  std::uint32_t displaced = kNone;
  if (cpu.thread != kNone) {
    Thread& there = threads_[cpu.thread];
    if (there.uncertain_since == kCertain) ++doubts_.replaced;
    if (there.since == event.ns && cpu.stream != event.stream->id) displaced = cpu.thread;
    change_.replaced = cpu.thread;
    there.cpu = kNone;
  }
  thread = {event.cpu, event.ns, kCertain, moved_from};
  cpu = {event.thread, event.stream->id, displaced, event.ns, {}};
  change_.started = event.thread;
  change_.on_cpu = event.cpu;
}

// What it ends is known.
void Occupancy::run_of_others(const RoleEvent& event) {
  if (event.thread != Actor::kOthers) leave(event.thread);
  if (event.cpu == Actor::kOthers) return;
  Cpu& cpu = grown(&cpus_, event.cpu);
  if (cpu.thread == kNone) return;
  ++doubts_.replaced;
  change_.replaced = cpu.thread;
  threads_[cpu.thread].cpu = kNone;
  cpu.thread = kNone;
}

void Occupancy::stop(const RoleEvent& event) {
  if (event.thread == Actor::kOthers || event.cpu == Actor::kOthers) return;
  Thread& thread = grown(&threads_, event.thread);
  if (thread.cpu == kNone) {
    ++doubts_.unmatched_stops;
    return;
  }
  // A stop that names no cpu is of the cpu that its stream records.
  const bool late = event.cpu != kNone
                        ? thread.cpu != event.cpu
                        : thread.moved_from == event.stream->id && cpus_[thread.cpu].stream != event.stream->id;
  if (!late) {
    const std::uint32_t on = thread.cpu;
    leave(event.thread);
    return resume(on, event);
  }
  if (thread.moved_from != 0 && doubts_.moved > 0) --doubts_.moved;
  thread.moved_from = 0;
}

void Occupancy::begin_idle(const RoleEvent& event) {
  change_ = Change();
  Cpu& cpu = grown(&cpus_, event.cpu);
  if (cpu.thread != kNone) {
    if (threads_[cpu.thread].uncertain_since == kCertain) ++doubts_.replaced;
    change_.replaced = cpu.thread;
    threads_[cpu.thread].cpu = kNone;
  }
  const Idle idle = cpu.idle.thread == event.thread ? cpu.idle : Idle{event.thread, event.ns};
  cpu = {kNone, event.stream->id, kNone, 0, idle};
}

void Occupancy::become_idle(std::uint32_t thread, std::int64_t ns) {
  if (!runs(thread)) return;
  Thread& t = threads_[thread];
  cpus_[t.cpu].thread = kNone;
  cpus_[t.cpu].idle = {thread, ns};
  t = Thread();
}

// What stops ran for no time, and so it was first: the other goes on.
void Occupancy::resume(std::uint32_t on, const RoleEvent& event) {
  Cpu& cpu = cpus_[on];
  const std::uint32_t displaced = std::exchange(cpu.displaced, kNone);
  if (displaced == kNone || cpu.displaced_ns != event.ns || threads_[displaced].cpu != kNone) return;
  if (doubts_.replaced > 0) --doubts_.replaced;
  threads_[displaced] = {on, event.ns, kCertain, 0};
  cpu.thread = displaced;
  cpu.stream = event.stream->id;
  change_.started = displaced;
  change_.on_cpu = on;
  change_.resumes = true;
}

void Occupancy::fold(const FoldedActors& gone) {
  for (const std::uint32_t thread : gone.all()) {
    if (thread >= threads_.size()) continue;
    if (runs(thread)) cpus_[threads_[thread].cpu].thread = kNone;
    threads_[thread] = Thread();
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
