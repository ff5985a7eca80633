#include <evt/analysis/actor_list.h>
#include <fmt/core.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "base/output.h"
#include "base/table_forms.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-record/live/live_stacks.h"
#include "libtrace-record/live/live_threads.h"
#include "why/open_calls.h"

namespace evt::tools {
namespace {

using record::LiveFrame;
using record::LiveThread;

const char* word_of(char state) {
  switch (state) {
    case 'R':
      return "running or runnable";
    case 'S':
      return "waiting";
    case 'D':
      return "waiting for a device";
    case 'T':
      return "stopped";
    case 't':
      return "stopped by a debugger";
    case 'Z':
    case 'X':
      return "ended";
    case 'I':
      return "idle";
    default:
      return "unknown";
  }
}

std::int64_t utc_now_ns() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

class WhyNow {
 public:
  explicit WhyNow(WhyArguments& options) : options_(options), process_(*ProgramTrace::living(options.file)) {
    out_.set_json_safe(options.json_safe);
  }

  int run() {
    look_at_trace();
    stacks_.emplace(process_);  // what it has mapped by now
    auto threads = record::threads_of(process_);
    if (!threads) return report_.no_answer(threads.status());
    std::erase_if(*threads, [](const LiveThread& thread) { return thread.name == Actor::kRecorder; });
    if (const auto hidden = record::hidden_by(process_)) {
      notes_.push_back(
          fmt::format("the system shows neither system calls nor stacks of process {} ({}): only root, and its user if "
                      "a debugger may attach, can see them",
                      process_, *hidden));
    }
    for (LiveThread& thread : *threads) seen_.push_back(see(std::move(thread)));
    note_circle();
    for (const std::string& note : notes_) report_.say(note);
    print();
    if (!out_.flush()) return report_.no_answer(out_.status());
    return kExitOk;
  }

 private:
  struct Seen {
    LiveThread thread;
    std::vector<LiveFrame> frames;
    const OpenCall* call = nullptr;  // that it is in, by its trace
    std::uint64_t holder = 0;        // thread that holds the lock
  };

  // Without a trace the kernel's answers are all.
  void look_at_trace() {
    const auto program = ProgramTrace::find(options_.file);
    auto trace = program ? program->open({}) : Result<Trace>(program.status());
    is_recorded_ = static_cast<bool>(trace);
    if (trace) {
      open_ = open_calls(*trace, program->session_id());
    } else {
      notes_.push_back(
          fmt::format("process {} is not recorded: only its system calls show what it waits for; evt run records a "
                      "program from its start",
                      process_));
    }
  }

  Seen see(LiveThread thread) {
    Seen seen;
    seen.frames = stacks_->of(thread);
    const auto call = open_.find(thread.number);
    if (call != open_.end() && is_in(thread, call->second)) seen.call = &call->second;
    if (seen.call != nullptr) seen.holder = holder_of(*seen.call);
    seen.thread = std::move(thread);
    return seen;
  }

  // Its trace was read before: the thread may be elsewhere by now.
  static bool is_in(const LiveThread& thread, const OpenCall& call) {
    if (thread.state == 'R') return false;
    const bool is_shown = thread.call.has_value();
    return !is_shown || !is_of_threads(call) || record::waits_at(thread, call.number, sizeof(pthread_rwlock_t));
  }
  // Waits for a lock or the like, which is a futex.
  static bool is_of_threads(const OpenCall& call) {
    const bool is_one = call.name.starts_with("pthread_mutex_") || call.name.starts_with("pthread_rwlock_") ||
                        call.name.starts_with("pthread_cond_") || call.name.starts_with("sem_");
    return is_one && call.number != 0;
  }

  // Mutexes and read-write locks of the C library have the number of the thread that holds them, the latter only of one
  // that writes.
  std::uint64_t holder_of(const OpenCall& call) const {
    const bool is_mutex = call.name.starts_with("pthread_mutex_");
    const bool is_rwlock = call.name.starts_with("pthread_rwlock_");
    if (call.number == 0 || (!is_mutex && !is_rwlock)) return 0;
    const std::size_t place =
        is_mutex ? offsetof(pthread_mutex_t, __data.__owner) : offsetof(pthread_rwlock_t, __data.__cur_writer);
    return stacks_->word_at(call.number + place);
  }

  const Seen* seen_as(std::uint64_t number) const {
    const auto seen = std::ranges::find(seen_, number, [](const Seen& each) { return each.thread.number; });
    return seen == seen_.end() ? nullptr : &*seen;
  }

  // Its threads look the same a second time, when each has looked at all others: no circle of moments that passed.
  bool stands(const std::vector<const Seen*>& circle) const {
    constexpr timespec kPause = {0, 20'000'000};
    nanosleep(&kPause, nullptr);
    return std::ranges::all_of(circle, [this](const Seen* each) {
      LiveThread now = each->thread;
      record::look_at_call(process_, &now);
      return now.call.has_value() && is_in(now, *each->call) && holder_of(*each->call) == each->holder;
    });
  }

  // Each thread of it waits for the next.
  void note_circle() {
    for (const Seen& first : seen_) {
      std::vector<const Seen*> circle;
      const Seen* at = &first;
      while (at != nullptr && std::ranges::find(circle, at) == circle.end()) {
        circle.push_back(at);
        at = at->holder == 0 ? nullptr : seen_as(at->holder);
      }
      if (at != &first || !stands(circle)) continue;
      std::string sentence = "deadlock: ";
      for (const Seen* const each : circle) {
        if (each != &first) sentence += "; ";
        sentence += fmt::format("{} waits for {}, which {} holds", text_of(each->thread), object_of(*each->call),
                                text_of(seen_as(each->holder)->thread));
      }
      return notes_.push_back(sentence);
    }
  }

  static std::string text_of(const LiveThread& thread) { return fmt::format("{} {}", thread.name, thread.number); }
  static std::string object_of(const OpenCall& call) {
    const std::string kind = call.resource.empty() ? "" : call.resource + " ";
    return call.object.empty() ? call.name : "the " + kind + call.object;
  }

  // What it is in: pthread_mutex_lock, the lock orders.
  static Cell waits_for(const Seen& seen) {
    if (seen.call == nullptr) return {};
    const OpenCall& call = *seen.call;
    return call.object.empty() ? call.name : fmt::format("{}: {}", call.name, object_of(call));
  }

  Table threads() const {
    Table table("threads", 0,
                {{.name = "thread", .kind = CellKind::kCount},
                 {.name = "name"},
                 {.name = "state"},
                 {.name = "for", .kind = CellKind::kDuration},
                 {.name = "in"},
                 {.name = "held by"},
                 {.name = "system call"},
                 {.name = "kernel function"},
                 {.name = "function", .is_hidden = true},
                 {.name = "object", .is_hidden = true},
                 {.name = "resource", .is_hidden = true},
                 {.name = "holder", .kind = CellKind::kCount, .is_hidden = true}});
    const std::int64_t now_ns = utc_now_ns();
    const auto text = [](const std::string& words) { return words.empty() ? Cell() : Cell(words); };
    for (const Seen& seen : seen_) {
      const OpenCall* const call = seen.call;
      const Seen* const holder = seen.holder == 0 ? nullptr : seen_as(seen.holder);
      Table::Row row = {Cell(std::uint64_t{seen.thread.number}), seen.thread.name, word_of(seen.thread.state)};
      row.push_back(call == nullptr
                        ? Cell()
                        : Cell(static_cast<std::uint64_t>(std::max<std::int64_t>(0, now_ns - call->since_utc_ns))));
      row.push_back(waits_for(seen));
      row.push_back(holder != nullptr ? Cell(text_of(holder->thread)) : Cell());
      row.push_back(seen.thread.call.value_or(-1) >= 0 ? Cell(record::name_of_system_call(*seen.thread.call)) : Cell());
      row.push_back(text(seen.thread.kernel));
      row.push_back(call == nullptr ? Cell() : text(call->name));
      row.push_back(call == nullptr ? Cell() : text(call->object));
      row.push_back(call == nullptr ? Cell() : text(call->resource));
      row.push_back(seen.holder == 0 ? Cell() : Cell(seen.holder));
      table.add(std::move(row));
    }
    return table;
  }

  // A row for each frame, the innermost of a thread first.
  Table stacks() const {
    Table table("stacks", 0,
                {{.name = "thread", .kind = CellKind::kCount},
                 {.name = "frame", .kind = CellKind::kCount},
                 {.name = "function"},
                 {.name = "line", .kind = CellKind::kCount},
                 {.name = "module"}});
    for (const Seen& seen : seen_) {
      for (std::size_t i = 0; i < seen.frames.size(); ++i) {
        const LiveFrame& frame = seen.frames[i];
        table.add({Cell(std::uint64_t{seen.thread.number}), Cell(std::uint64_t{i}), frame.function,
                   frame.line > 0 ? Cell(frame.line) : Cell(), frame.module.empty() ? Cell() : Cell(frame.module)});
      }
    }
    return table;
  }

  void print() {
    TextBuffer& out = out_.text();
    if (options_.json) return print_json();
    if (options_.csv) {
      append_as_csv(out, threads());
      out += "\r\n";
      return append_as_csv(out, stacks());
    }
    const Table frames = stacks();
    append_human_readable(out, threads(), false, Terminal::look());
    if (frames.rows().empty()) return;
    out += '\n';
    append_human_readable(out, frames, false, Terminal::look());
  }

  void print_json() {
    append_json_line(out_.text(), [&](JsonObject& json) {
      json.number("process", process_);
      json.truth("is_recorded", is_recorded_);
      for (const Table& table : {threads(), stacks()}) {
        json.value(table.name(), [&](TextBuffer& out) { append_as_json(out, table); });
      }
      json.all_texts("notes", notes_);
    });
  }

  WhyArguments& options_;
  Report report_{"evt why"};
  TextOutput out_;
  int process_;
  std::optional<record::LiveStacks> stacks_;
  bool is_recorded_ = false;
  std::map<std::uint64_t, OpenCall> open_;  // by thread
  std::vector<Seen> seen_;
  std::vector<std::string> notes_;
};

}  // namespace

int run_why_now(WhyArguments& options) { return WhyNow(options).run(); }

}  // namespace evt::tools
