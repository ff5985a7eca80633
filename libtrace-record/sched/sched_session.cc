#include "sched_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "declare.h"

namespace evt::record {
namespace {

// The edge of a stop is seen when its last thread has stopped.
constexpr std::uint64_t kHeldNs = 20'000'000;
// A thread that waits is woken to be stopped, and runs for less than this until it is.
constexpr std::uint64_t kWokenNs = 1'000'000;

constexpr evt_label kReasons[] = {
    {EVT_STOP_PREEMPTED, "preempted"}, {EVT_STOP_BLOCKED, "blocked"}, {EVT_STOP_FINISHED, "finished"}};

}  // namespace

SchedSession::~SchedSession() {
  if (writer_ != nullptr) evt_close(writer_, nullptr);
}

Status SchedSession::open(const std::string& path, const SessionBudget& budget, pid_t pid, bool with_scheduling) {
  pid_ = pid;
  evt_options options = {};
  options.on_notice = [](void*, const evt_notice*) {};
  options.rotate_bytes = budget.rotate_bytes;
  options.rotate_ns = budget.rotate_ns;
  options.keep_bytes = budget.keep_bytes;
  options.keep_ns = budget.keep_ns;
  options.flight_bytes = budget.flight_bytes;
  options.flight_ns = budget.flight_ns;
  evt_session_info info = {};
  info.program = "evt run";
  options.session = &info;
  evt_error error;
  writer_ = evt_open(path.c_str(), &options, &error);
  if (writer_ == nullptr) return {static_cast<Code>(error.code), error.message};
  evt_switch_types(writer_, "process.stopped", 0);  // recorded only for the programs, by their parents
  declare();
  if (!with_scheduling) return {};
  const Status opened = records_.open(pid);
  scheduling_ = opened.ok();
  refusal_ = opened.message();
  if (!scheduling_) {
    clocks_.open(writer_, pid);
    return {};
  }
  for (std::size_t i = 0; i < records_.cpus(); ++i) {
    cpus_.push_back({evt_stream_open(writer_, fmt::format("cpu {}", records_.cpu(i)).c_str())});
  }
  scale_.read(writer_);
  return {};
}

void SchedSession::declare() {
  const evt_field thread = of_boot(EVT_FIELD_U64("thread", EVT_ROLE_THREAD));
  const evt_field cpu = of_boot(EVT_FIELD_U32("cpu", EVT_ROLE_CPU));
  const evt_field process = of_boot(EVT_FIELD_U64("process", EVT_ROLE_PROCESS));
  const evt_field parent = of_boot(EVT_FIELD_U64("parent", EVT_ROLE_PARENT));
  const evt_field reason = EVT_FIELD_ENUM16("reason", kReasons, EVT_ROLE_REASON);
  const evt_field name = EVT_FIELD_TEXT("name", EVT_ROLE_NAME);
  in_ = record::declare(writer_, "run.switch_in", "a thread runs on a cpu", EVT_ROLE_THREAD_RUN, {thread, cpu});
  out_ = record::declare(writer_, "run.switch_out", "it stops", EVT_ROLE_THREAD_STOP, {thread, reason});
  name_ = record::declare(writer_, "run.thread_name", "a thread is called so from now on", EVT_ROLE_THREAD_NAME,
                          {thread, name});
  process_ =
      record::declare(writer_, "run.process_start", "a process exists", EVT_ROLE_PROCESS_START, {process, parent});
  thread_ =
      record::declare(writer_, "run.thread_start", "a process has one more thread", EVT_ROLE_NONE, {thread, process});
  program_ = record::declare(writer_, "run.process_program", "what program it runs", EVT_ROLE_PROGRAM, {process, name});
}

void SchedSession::drain(bool is_stopped) {
  if (!scheduling_) return clocks_.sample();
  scale_.read(writer_);
  if (is_stopped) find_last_switches();
  drain_until(is_stopped ? UINT64_MAX : scale_.read_at_ns() - kHeldNs);
  last_switches_.clear();
}

void SchedSession::drain_until(std::uint64_t until_ns) {
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    records_.take(i, until_ns, [&](const SwitchRecord& record) { take(&cpus_[i], records_.cpu(i), record); });
  }
}

void SchedSession::find_last_switches() {
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    records_.look(i, [&](const SwitchRecord& record) {
      if (!is_first(record)) return;
      Switches& last = last_switches_[record.thread];
      if (record.kind == SwitchRecord::Kind::kIn) last.in_ns = std::max(last.in_ns, record.ns);
      if (record.kind == SwitchRecord::Kind::kOut) last.out_ns = std::max(last.out_ns, record.ns);
      // Records of one cpu come after those of another.
      const Stop stop = {record.ns, record.kind == SwitchRecord::Kind::kOut};
      if (!stop.waits && record.kind != SwitchRecord::Kind::kPreempted) return;
      if (stop.ns > last.latest.ns) {
        last.before = std::exchange(last.latest, stop);
      } else if (stop.ns > last.before.ns) {
        last.before = stop;
      }
    });
  }
  for (const auto& [thread, last] : last_switches_) {
    if (last.out_ns >= last.in_ns) last_out_ns_ = std::max(last_out_ns_, last.out_ns);
  }
}

void SchedSession::narrow_stop(std::int64_t* began_ns, std::int64_t* ended_ns) {
  const auto out = static_cast<std::int64_t>(std::exchange(last_out_ns_, 0));
  if (out != 0) *began_ns = std::min(*began_ns, out);
  std::int64_t in = *ended_ns;
  for (std::size_t i = 0; i < cpus_.size(); ++i) {
    records_.look(i, [&](const SwitchRecord& record) {
      const auto ns = static_cast<std::int64_t>(record.ns);
      const bool runs = is_first(record) && record.kind == SwitchRecord::Kind::kIn;
      if (runs && ns > *began_ns) in = std::min(in, ns);
    });
  }
  *ended_ns = in;
}

// While a process is stopped, the system lets all its threads wait. A thread that waited before continues to wait;
// others were runnable.
evt_stop_reason SchedSession::reason_of(const Cpu& cpu, const SwitchRecord& out) {
  if (!is_first(out)) return EVT_STOP_BLOCKED;
  const auto last = last_switches_.find(out.thread);
  const bool is_stop = last != last_switches_.end() && last->second.out_ns == out.ns && last->second.in_ns <= out.ns;
  if (!is_stop) return EVT_STOP_BLOCKED;
  const auto known = last_stops_.find(out.thread);
  const Stop before_drain = known != last_stops_.end() ? known->second : Stop{};
  const bool waited = last->second.before.ns != 0 ? last->second.before.waits : before_drain.waits;
  const bool was_woken = waited && out.ns < cpu.since_ns + kWokenNs;
  return was_woken ? EVT_STOP_BLOCKED : EVT_STOP_PREEMPTED;
}

void SchedSession::run(Cpu* cpu, unsigned number, std::uint32_t thread, std::uint64_t ticks) {
  if (cpu->thread == thread) return;
  if (cpu->thread != 0) stop(cpu, EVT_STOP_PREEMPTED, ticks);
  cpu->thread = thread;
  evt_row row = evt_begin_at(cpu->stream, in_, ticks);
  if (row.p == nullptr) return;
  evt_u64(&row, thread);
  evt_u32(&row, number);
  evt_commit(&row);
}

void SchedSession::stop(Cpu* cpu, std::uint16_t reason, std::uint64_t ticks) {
  evt_row row = evt_begin_at(cpu->stream, out_, ticks);
  if (row.p != nullptr) {
    evt_u64(&row, cpu->thread);
    evt_u16(&row, reason);
    evt_commit(&row);
  }
  cpu->thread = 0;
}

void SchedSession::keep_program(const SwitchRecord& record) {
  std::vector<Program>& programs = programs_[record.process];
  const auto at = std::ranges::upper_bound(programs, record.ns, {}, &Program::ns);
  programs.insert(at, {record.ns, std::string(record.name)});
}

void SchedSession::keep_stop(std::uint32_t thread, Stop stop) {
  Stop& last = last_stops_[thread];
  if (stop.ns >= last.ns) last = stop;
}

void SchedSession::take(Cpu* cpu, unsigned number, const SwitchRecord& record) {
  using Kind = SwitchRecord::Kind;
  const std::uint64_t ticks = std::max(scale_.ticks(record.ns), cpu->last_ticks);
  cpu->last_ticks = ticks;
  const auto emit_text = [&](const evt_type* type, std::uint64_t id) {
    evt_row row = evt_begin_at(cpu->stream, type, ticks);
    if (row.p == nullptr) return;
    evt_u64(&row, id);
    evt_text(&row, record.name.data(), record.name.size());
    evt_commit(&row);
  };
  switch (record.kind) {
    case Kind::kIn:
      if (cpu->thread != record.thread) cpu->since_ns = record.ns;
      return run(cpu, number, record.thread, ticks);
    case Kind::kPreempted:
    case Kind::kOut: {
      if (cpu->thread != record.thread) return;  // it began to run before its records did
      const std::uint16_t reason = record.kind == Kind::kOut ? reason_of(*cpu, record) : EVT_STOP_PREEMPTED;
      if (is_first(record)) keep_stop(record.thread, {record.ns, reason == EVT_STOP_BLOCKED});
      return stop(cpu, reason, ticks);
    }
    case Kind::kProgram:
      keep_program(record);
      emit_text(program_, record.process);
      [[fallthrough]];
    case Kind::kName:
      // It runs, and of the first no switch was recorded.
      if (record.kind == Kind::kProgram) run(cpu, number, record.thread, ticks);
      return emit_text(name_, record.thread);
    case Kind::kFork: {
      const bool is_thread = record.process == record.parent;
      children_ += is_thread ? 0 : 1;
      evt_row row = evt_begin_at(cpu->stream, is_thread ? thread_ : process_, ticks);
      if (row.p == nullptr) return;
      evt_u64(&row, is_thread ? record.thread : record.process);
      evt_u64(&row, is_thread ? record.process : record.parent);
      evt_commit(&row);
      return;
    }
    case Kind::kExit:
      last_stops_.erase(record.thread);
      if (cpu->thread == record.thread) stop(cpu, EVT_STOP_FINISHED, ticks);
      return;
    case Kind::kLost:
      return evt_stream_lost(cpu->stream, EVT_LOST_RING_FULL, record.count, ticks, ticks);
  }
}

Status SchedSession::close() {
  if (writer_ == nullptr) return {};
  drain_until(UINT64_MAX);
  evt_error error;
  evt_close(std::exchange(writer_, nullptr), &error);
  return error.code == EVT_OK ? Status() : Status(static_cast<Code>(error.code), error.message);
}

}  // namespace evt::record
