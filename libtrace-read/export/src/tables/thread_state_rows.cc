// What each thread did, from when to when.
#include <optional>
#include <vector>

#include "column_kinds.h"
#include "item_rows.h"

namespace evt {
namespace {

// By ThreadState.
constexpr std::string_view kStateWords[] = {"unknown", "runnable", "running", "waiting", "outside", "ended"};

class ThreadStateRows : public ItemRows {
 public:
  void begin_session(Timeline& timeline, std::int64_t from_ns) override {
    ItemRows::begin_session(timeline, from_ns);
    threads_.clear();
    held_.clear();
    holds_.reset();
  }

  void take(const TimelineItem& item, RowsInMaking* rows) override {
    switch (item.kind) {
      case ItemKind::kThread: {
        if (threads_.size() <= item.thread) threads_.resize(item.thread + 1);
        Thread& thread = threads_[item.thread] = Thread();
        thread.exists = true;
        thread.since_ns = item.ns;
        thread.since_utc_ns = utc_ns(item, item.ns);
        const Actor& actor = timeline().actors().threads()[item.thread];
        if (actor.number == 0 && !actor.is_stream && !holds_) holds_ = item.thread;
        return;
      }
      case ItemKind::kState:
        return become(item, rows);
      case ItemKind::kUncertain:
        threads_[item.thread].uncertain_since_ns = std::min(threads_[item.thread].uncertain_since_ns, item.began_ns);
        return;
      case ItemKind::kIdleThread:
        if (item.thread < threads_.size()) threads_[item.thread] = Thread();
        if (holds_ == item.thread) held_.clear();
        return;
      case ItemKind::kFold:
        for (const std::uint32_t gone : item.event->fold->all()) {
          if (gone < threads_.size()) threads_[gone] = Thread();
        }
        return;
      default:
        return;
    }
  }

  void end_session(RowsInMaking* rows) override {
    for (const Stretch& stretch : held_) add(stretch, rows);
    held_.clear();
    holds_ = Actor::kNone;
  }

 private:
  struct Thread {
    ThreadState state = ThreadState::kUnknown;
    bool exists = false;
    std::uint32_t cpu = Actor::kNone;
    std::uint32_t reason = Actor::kNone;
    std::int64_t since_ns = 0;
    std::int64_t since_utc_ns = 0;
    std::int64_t uncertain_since_ns = INT64_MAX;
  };
  // A state that has ended.
  struct Stretch {
    std::uint32_t thread = 0;
    Thread was;
    std::int64_t to_ns = 0;
    bool is_open = false;
  };

  // Number 0 may turn out to be what cpus run when they have nothing to do, usually soon: until then its rows are held
  // back; with more rows than this it counts as a thread.
  static constexpr std::size_t kMostHeld = 65536;

  void become(const TimelineItem& item, RowsInMaking* rows) {
    Thread& thread = threads_[item.thread];
    if (thread.exists && (item.ns > thread.since_ns || item.is_open)) {
      end({item.thread, thread, item.ns, item.is_open}, rows);
    }
    thread.exists = item.state != ThreadState::kEnded && !item.is_open;
    thread.state = item.state;
    thread.cpu = item.state == ThreadState::kRunning ? item.cpu : Actor::kNone;
    thread.reason = item.other;
    thread.since_ns = item.ns;
    thread.since_utc_ns = utc_ns(item, item.ns);
    thread.uncertain_since_ns = INT64_MAX;
  }

  void end(const Stretch& stretch, RowsInMaking* rows) {
    if (is_before(stretch.to_ns)) return;
    if (holds_ != stretch.thread) return add(stretch, rows);
    held_.push_back(stretch);
    if (held_.size() >= kMostHeld) end_session(rows);
  }

  void add(const Stretch& stretch, RowsInMaking* rows) const {
    const Thread& was = stretch.was;
    NewRow row = rows->add();
    row.number(session_key(session()));
    add_thread(stretch.thread, &row);
    row.text(kStateWords[static_cast<std::size_t>(was.state)]);
    if (was.cpu == Actor::kNone) {
      row.null();
    } else if (was.cpu >= Actor::kOthers) {
      row.text("(others)");
    } else {
      const Actor& cpu = timeline().actors().cpus()[was.cpu];
      if (!cpu.name.empty()) {
        row.text(cpu.name);
      } else {
        row.text(std::to_string(cpu.number));
      }
    }
    const auto& reasons = timeline().reasons();
    row.text_unless_empty(was.reason < reasons.size() ? std::string_view(reasons[was.reason].text)
                                                      : std::string_view());
    row.time(was.since_utc_ns).ns(was.since_ns).ns(stretch.to_ns).yes(stretch.is_open);
    const std::int64_t uncertain = std::max({was.uncertain_since_ns, was.since_ns, from_ns()});
    row.number(uncertain < stretch.to_ns ? static_cast<std::uint64_t>(stretch.to_ns - uncertain) : 0);
    add_created(stretch.thread, &row);
  }

  std::vector<Thread> threads_;
  std::vector<Stretch> held_;
  std::optional<std::uint32_t> holds_;  // the thread with number 0
};

}  // namespace

ItemTable thread_states_table() {
  return {
      {"thread_states",
       "States of threads. A thread is in one state at a time, and in some from its first event to its last.",
       joined({{session_column()},
               thread_columns(),
               {never_null(word_column(
                    "state", "unknown, runnable, running, waiting, or outside: in the system or a foreign function")),
                word_column("cpu", "running: name or number of the cpu"),
                word_column("reason", "waiting or runnable: why the thread stopped, where the trace states it"),
                time_column("time", "when the state began"),
                never_null(ns_column("from_ns", "the same, since the session's start")),
                never_null(ns_column("to_ns", "when it ended")),
                never_null(yes_column("open", "it continues after the end of the session or range")),
                never_null(count_column(
                    "uncertain_ns", "time in the range in which it may have changed unseen, because of a loss", "ns")),
                created_column()}})},
      new_rows<ThreadStateRows>};
}

}  // namespace evt
