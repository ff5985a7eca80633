#include "occupancy.h"

#include <algorithm>
#include <utility>

namespace evt {

// Only the thread that the run ends is known.
Occupancy::Change Occupancy::run_of_others(const RoleEvent& event) {
  Change change;
  if (event.thread != Actor::kOthers) leave(event.thread);
  if (event.cpu == Actor::kOthers) return change;
  Cpu& cpu = grown(&cpus_, event.cpu);
  if (cpu.thread == kNone) return change;
  change.replaced = cpu.thread;
  replace(&threads_[cpu.thread], event.ns);
  cpu.thread = kNone;
  return change;
}

std::uint32_t Occupancy::begin_idle(const RoleEvent& event) {
  Cpu& cpu = grown(&cpus_, event.cpu);
  const std::uint32_t replaced = cpu.thread;
  if (replaced != kNone) replace(&threads_[replaced], event.ns);
  const Idle idle = cpu.idle.thread == event.thread ? cpu.idle : Idle{event.thread, event.ns};
  cpu = {kNone, event.stream->id, kNone, 0, idle};
  return replaced;
}

void Occupancy::become_idle(std::uint32_t thread, std::int64_t ns) {
  if (!runs(thread)) return;
  Thread& t = threads_[thread];
  cpus_[t.cpu].thread = kNone;
  cpus_[t.cpu].idle = {thread, ns};
  t = Thread();
}

// The stopping thread ran for no time, and so it was first: the other keeps running.
Occupancy::Change Occupancy::stop_displacing(std::uint32_t on, const RoleEvent& event) {
  Change change;
  change.stopped = event.thread;
  Cpu& cpu = cpus_[on];
  const std::uint32_t displaced = std::exchange(cpu.displaced, kNone);
  if (displaced == kNone || cpu.displaced_ns != event.ns || threads_[displaced].cpu != kNone) return change;
  if (doubts_.replaced > 0) --doubts_.replaced;
  threads_[displaced] = {on, event.ns, kCertain, 0, INT64_MIN};
  cpu.thread = displaced;
  cpu.stream = event.stream->id;
  change.started = displaced;
  change.on_cpu = on;
  change.resumes = true;
  return change;
}

void Occupancy::fold(const FoldedActors& gone) {
  for (const std::uint32_t thread : gone.all()) {
    if (thread >= threads_.size()) continue;
    if (runs(thread)) cpus_[threads_[thread].cpu].thread = kNone;
    threads_[thread] = Thread();
  }
}

void Occupancy::lose(const RoleEvent& event) {
  for (const Cpu& cpu : cpus_) {
    if (cpu.thread == kNone || cpu.stream != event.stream->id) continue;
    Thread& thread = threads_[cpu.thread];
    thread.uncertain_since = std::min(thread.uncertain_since, std::max(event.previous_ns, thread.since));
  }
}

void Occupancy::archive(Archive& archive, std::size_t threads, std::size_t cpus) {
  threads_.resize(threads);
  cpus_.resize(cpus);
  archive.list(threads_, threads_.size(), [&](Thread& t) {
    archive.index(t.cpu, cpus_.size());
    archive.numbers(t.since, t.uncertain_since, t.moved_from);
  });
  archive.list(cpus_, cpus_.size(), [&](Cpu& c) {
    archive.index(c.thread, threads_.size());
    archive.numbers(c.stream);
    archive.index(c.idle.thread, threads_.size());
    archive.numbers(c.idle.since);
  });
  archive.require(threads_.size() == threads && cpus_.size() == cpus);
  archive.numbers(doubts_.unmatched_stops, doubts_.replaced, doubts_.moved, doubts_.jumps);
}

}  // namespace evt
