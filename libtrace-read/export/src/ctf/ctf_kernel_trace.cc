#include <evt/export/ctf_trace.h>

#include <map>

#include "ctf_sessions.h"
#include "kernel_events.h"
#include "libtrace-read/export/src/picture/system_numbers.h"

namespace evt {
namespace {

bool is_of_scheduler(const EventType& type) {
  return type.has_role(Role::kThreadRun) || type.has_role(Role::kThreadStop) || type.has_role(Role::kThreadWake);
}

class CtfKernelTrace : public TimelineExport {
 public:
  explicit CtfKernelTrace(CtfFiles& files) : files_(files) {}

  void begin(TextBuffer&, const Trace& trace) override { sessions_.emplace(trace, true, files_); }

  void begin_session(TextBuffer&, Timeline& timeline) override {
    numbers_ = {};
    numbers_.begin_session(timeline);
    running_.clear();
    cpu_of_.clear();
    waker_ = woken_ = Actor::kNone;
    session_ = goes_on_ ? sessions_->go_to(timeline.actors().session()) : nullptr;
    goes_on_ = session_ != nullptr;
  }

  void take(TextBuffer&, const TimelineItem& item) override {
    if (!goes_on_) return;
    switch (item.kind) {
      case ItemKind::kRow:
        return take_row(item);
      case ItemKind::kWake:
        woken_ = item.thread;
        waker_ = item.other;
        return;
      case ItemKind::kState:
        return take_state(item);
      case ItemKind::kFold:
        for (const std::uint32_t thread : item.event->fold->all()) {
          numbers_.forget(thread);
          cpu_of_.erase(thread);
        }
        return;
      default:
        return;
    }
  }

  void end_session(TextBuffer&) override {}
  void end(TextBuffer&) override { goes_on_ = goes_on_ && sessions_->end(); }
  std::vector<std::string> left_out() const override { return sessions_->differences().sentences(); }

 private:
  void take_row(const TimelineItem& item) {
    const RoleEvent& row = *item.event;
    if (row.event == nullptr || row.is_facet || !item.is_wanted) return;
    if (is_of_scheduler(row.event->type())) {
      ++sessions_->differences().scheduled;
    } else {
      goes_on_ = session_->take(*row.event);
    }
  }

  void take_state(const TimelineItem& item) {
    // A collector that works on a thread counts as running it.
    const bool collects = item.is_collecting && item.cpu != Actor::kNone;
    if (item.state == ThreadState::kRunning || collects) return run(item);
    const auto cpu = cpu_of_.find(item.thread);
    const bool ran = item.before == ThreadState::kRunning && cpu != cpu_of_.end();
    const bool is_waking =
        item.state == ThreadState::kRunnable && (item.before == ThreadState::kWaiting || woken_ == item.thread);
    if (ran && !item.is_open && running_[cpu->second] == item.thread) {
      switch_to(cpu->second, Actor::kNone, item.ns, state_of(item.state));
    } else if (is_waking) {
      wake(item.thread, item.ns);
    }
    woken_ = waker_ = Actor::kNone;
  }

  // If events were lost, the thread that runs there may not have stopped before.
  void run(const TimelineItem& item) {
    const auto cpu = static_cast<std::uint32_t>(numbers_.cpu(item.cpu));
    const auto before = cpu_of_.find(item.thread);
    const bool moves = before != cpu_of_.end() && before->second != cpu && running_[before->second] == item.thread;
    if (moves) switch_to(before->second, Actor::kNone, item.ns, kTaskRunning);
    switch_to(cpu, item.thread, item.ns, kTaskRunning);
    cpu_of_[item.thread] = cpu;
  }

  static std::int64_t state_of(ThreadState state) {
    if (state == ThreadState::kRunnable) return kTaskRunning;
    return state == ThreadState::kEnded ? kTaskDead : kTaskInterruptible;
  }

  void switch_to(std::uint32_t cpu, std::uint32_t next, std::int64_t ns, std::int64_t state) {
    std::uint32_t& now = running_.try_emplace(cpu, Actor::kNone).first->second;
    const KernelThread from = thread(now, cpu);
    const KernelThread to = thread(next, cpu);
    now = next;
    if (from.number == to.number) return;
    fields_.clear();
    append_switch(fields_, from, state, to);
    goes_on_ = session_->take(cpu, kSchedSwitch, ns, fields_.text());
  }

  // On the cpu of the waker, like Linux.
  void wake(std::uint32_t woken, std::int64_t ns) {
    const auto from = cpu_of_.find(waker_);
    const auto last = cpu_of_.find(woken);
    const std::uint32_t target = last != cpu_of_.end() ? last->second : 0;
    fields_.clear();
    append_waking(fields_, thread(woken, target), target);
    goes_on_ = session_->take(from != cpu_of_.end() ? from->second : target, kSchedWaking, ns, fields_.text());
  }

  // kNone: what a cpu runs when it has nothing to do.
  KernelThread thread(std::uint32_t thread, std::uint32_t cpu) {
    if (thread == Actor::kNone) return {"swapper/" + std::to_string(cpu), 0};
    bool is_new = false;
    const std::int64_t number = numbers_.thread(thread, &is_new).thread;
    return {numbers_.thread_name(thread), number};
  }

  CtfFiles& files_;
  std::optional<CtfSessions> sessions_;
  bool goes_on_ = true;  // appended bytes could be written
  CtfSession* session_ = nullptr;
  SystemNumbers numbers_;
  std::map<std::uint32_t, std::uint32_t> running_;  // the thread of each cpu, by its number
  std::map<std::uint32_t, std::uint32_t> cpu_of_;   // latest cpu of each thread
  std::uint32_t woken_ = Actor::kNone;              // by waker_, from the item before
  std::uint32_t waker_ = Actor::kNone;
  TextBuffer fields_;
};

}  // namespace

std::unique_ptr<TimelineExport> ctf_kernel_trace(CtfFiles& files) { return std::make_unique<CtfKernelTrace>(files); }

}  // namespace evt
