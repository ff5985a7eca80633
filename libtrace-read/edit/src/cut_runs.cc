#include "cut_runs.h"

#include <algorithm>

namespace evt {
namespace {

// Of the field of this role, if the event has it and it is a number.
std::optional<std::uint64_t> number_of(const EventType& type, Role role, Bytes fields) {
  if (type.field(role) == nullptr) return std::nullopt;
  FieldWalker walker(type.fields(), fields);
  while (const auto value = walker.next()) {
    if (value->field().role != role) continue;
    const Kind kind = value->kind();
    const bool is_number = kind != Kind::kFloat && kind != Kind::kText && kind != Kind::kBytes;
    return is_number && !value->is_sequence() ? std::optional(value->as_unsigned()) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

bool CutRuns::knows(const EventType& type) {
  return type.role() == Role::kThreadRun || type.role() == Role::kThreadStop || type.role() == Role::kThreadExit;
}

std::uint32_t CutRuns::part_of(std::uint32_t stream) const {
  const auto part = std::find_if(session_.parts.begin(), session_.parts.end(),
                                 [&](const MergedPart& each) { return each.has_stream(stream); });
  return static_cast<std::uint32_t>(part - session_.parts.begin());
}

// An event that names no thread is of the one that runs on its stream, or of the stream's own.
CutRuns::Actor CutRuns::thread_of(std::uint32_t id, const Stream& stream, const EventType& type, Bytes fields) const {
  if (const auto named = number_of(type, Role::kThread, fields)) return {*named, *stream.part, false};
  if (stream.running) return *stream.running;
  const StreamInfo* const info = session_.stream(id);
  const bool has_number = info != nullptr && info->thread != 0 && !stream.has_threads;
  return {has_number ? info->thread : id, *stream.part, !has_number};
}

bool CutRuns::take(std::uint32_t id, const EventType& type, std::uint16_t clock, std::int64_t ns, const RowView& row) {
  Stream& stream = streams_[id];
  if (!stream.part) stream.part = part_of(id);
  stream.latest = {std::max(ns, stream.latest.ns), id, ++events_};
  const Actor who = thread_of(id, stream, type, row.fields());
  Thread* const thread = this->thread(who);
  if (thread == nullptr) return false;
  const auto named_cpu = number_of(type, Role::kCpu, row.fields());
  const Actor cpu = named_cpu ? Actor{*named_cpu, *stream.part, false} : Actor{id, *stream.part, true};
  if (type.role() == Role::kThreadRun) {
    stream.running = who;
    stream.has_threads = true;
    stream.runs[who] = stream.latest;
    run(*thread, stream.latest, who, cpu, {&type, clock, row.ticks, {row.fields().begin(), row.fields().end()}});
  } else if (type.role() == Role::kThreadStop) {
    stop(stream, *thread, who, named_cpu ? std::optional(cpu) : std::nullopt);
  } else if (thread->left < stream.latest) {
    thread->left = stream.latest;
    thread->left_cpu.reset();
  }
  return true;
}

CutRuns::Thread* CutRuns::thread(const Actor& who) {
  const auto known = threads_.find(who);
  if (known != threads_.end()) return &known->second;
  if (threads_.size() >= kMaxThreads || cpus_.size() >= kMaxThreads) {
    drop_ended();
    if (threads_.size() > kMaxThreads / 2) {
      forget_all();
      return nullptr;
    }
  }
  return &threads_[who];
}

void CutRuns::run(Thread& thread, const Time& now, const Actor& who, const Actor& cpu, CutState::Open open) {
  if (thread.since < now) {
    thread.since = now;
    thread.cpu = cpu;
    thread.run = std::move(open);
  }
  Run& latest = cpus_[cpu];
  if (latest.since < now) latest = {now, who};
}

// A stop ends the run that its own stream recorded; else the one that it finds, if that is not on another cpu.
void CutRuns::stop(Stream& stream, Thread& thread, const Actor& who, const std::optional<Actor>& cpu) {
  const auto own = stream.runs.find(who);
  if (own != stream.runs.end()) {
    thread.stopped = std::max(thread.stopped, own->second);
    stream.runs.erase(own);
  } else if (thread.left < stream.latest) {
    thread.left = stream.latest;
    thread.left_cpu = cpu;
  }
  if (stream.running == who) stream.running.reset();
}

bool CutRuns::goes_on(const Actor& who, const Thread& thread) const {
  if (thread.run.type == nullptr || thread.stopped >= thread.since) return false;
  if (thread.left > thread.since && (!thread.left_cpu || *thread.left_cpu == thread.cpu)) return false;
  const auto on = cpus_.find(thread.cpu);
  if (on == cpus_.end() || on->second.since != thread.since || on->second.who != who) return false;
  return thread.since.ns > streams_.at(thread.since.stream).lost_ns;
}

// Programs may have millions of threads, of which few run at a time.
void CutRuns::drop_ended() {
  std::erase_if(threads_, [&](const auto& each) { return !goes_on(each.first, each.second); });
  std::erase_if(cpus_, [&](const auto& each) { return !threads_.contains(each.second.who); });
  for (auto& [id, stream] : streams_) {
    std::erase_if(stream.runs, [&](const auto& run) { return !threads_.contains(run.first); });
  }
}

void CutRuns::forget_all() {
  threads_.clear();
  cpus_.clear();
  for (auto& [id, stream] : streams_) forget(id, stream.latest.ns);
}

void CutRuns::forget(std::uint32_t id, std::int64_t ns) {
  Stream& stream = streams_[id];
  stream.lost_ns = std::max(stream.lost_ns, ns);
  stream.running.reset();
  stream.runs.clear();
}

std::map<std::uint32_t, std::vector<CutState::Open>> CutRuns::open() const {
  std::map<std::uint32_t, std::vector<CutState::Open>> open;
  for (const auto& [who, thread] : threads_) {
    if (goes_on(who, thread)) open[thread.since.stream].push_back(thread.run);
  }
  return open;
}

}  // namespace evt
