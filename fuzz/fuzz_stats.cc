// Any events with roles, in any order, with whatever numbers: analyses add up, and the state at a moment is the
// same by checkpoints as without.
#include <evt/analysis/call_counts.h>
#include <evt/analysis/call_paths.h>
#include <evt/analysis/collections.h>
#include <evt/analysis/overhead.h>
#include <evt/analysis/share.h>
#include <evt/analysis/spans.h>
#include <evt/analysis/state_history.h>
#include <evt/analysis/thread_times.h>
#include <evt/analysis/usage.h>
#include <evt/saturating_add.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "fuzz_target.h"
#include "input.h"
#include "own_folder.h"
#include "text_form.h"

namespace {

constexpr const char* kRoles[] = {"threadCreate",  "threadRunnable", "threadRun", "threadStop", "threadWake",
                                  "threadMigrate", "threadExit",     "gcStart",   "gcEnd",      "gcSync",
                                  "gcStatistics",  "sparkCounters",  "spanBegin", "spanEnd",    "span",
                                  "callBegin",     "callEnd",        "call",      "stopped",    "overhead",
                                  "objectOpen",    "counter"};
constexpr std::size_t kRoleCount = std::size(kRoles);

// An event of each role with a thread and a cpu, and one without: then its stream replaces both.
std::string types() {
  std::string text =
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000 program=\"fuzz\"\n";
  for (std::size_t i = 0; i < kRoleCount; ++i) {
    text += fmt::format(
        "type {} a{} role={} (thread u64 role=thread) (cpu u32 role=cpu) (generation u16 role=generation) (reason "
        "enum8 "
        "role=reason labels=[0=preempted 1=blocked 2=finished]) (name u32 role=name) (amount u64 role=amount) "
        "(duration "
        "u64 role=duration unit=nanoseconds)\n",
        1024 + i, i, kRoles[i]);
    text += fmt::format("type {} b{} role={}\n", 2048 + i, i, kRoles[i]);
  }
  text +=
      "type 4096 counts role=callCounts (thread u64 role=thread) (function u32 role=function) (calls u64 role=value) "
      "(returned u64) (total u64 role=duration unit=nanoseconds) (shortest u64 unit=nanoseconds) (longest u64 "
      "unit=nanoseconds) (lengths u64[] unit=nanoseconds) (times u64[]) (timed u64)\n";
  return text + "stream 1 \"a\"\nstream 2 \"b\" thread=3\nstream 3 \"c\"\n";
}

std::string trace_of(Input& in) {
  std::string text = types();
  std::int64_t ns = 0;
  while (!in.empty()) {
    const std::uint8_t what = in.u8();
    const std::uint8_t where = in.u8();
    const std::uint8_t number = in.u8();
    const unsigned role = what % kRoleCount;
    const unsigned stream = 1 + where % 3;
    // Mostly forward, at times a little back, rarely far forward.
    const std::int64_t step = where >> 2 & 31;
    ns += what > 250 ? std::int64_t{1} << (number % 40) : where >> 7 != 0 ? -step : step;
    ns = std::max<std::int64_t>(ns, 0);
    const std::string front = fmt::format("{}.{:09} {} ", ns / 1'000'000'000, ns % 1'000'000'000, stream);
    if (what == 250) {
      text += front + fmt::format("!lost count={} cause=ring_full\n", number + 1);
    } else if (what == 249) {
      text +=
          front + fmt::format(
                      "counts thread={} function={} calls={} returned={} total={} shortest={} longest={} lengths=[{} "
                      "{}] times=[{} {}] timed={}\n",
                      number & 7, number & 3, number >= 252 ? UINT64_MAX : number, number >> 1, step, number & 15,
                      number >> 4, number, where, number >> 2, where & 7, number & 31);
    } else if (number >> 7 != 0) {
      text += front + fmt::format("b{}\n", role);
    } else {
      text += front + fmt::format("a{} thread={} cpu={} generation={} reason={} name={} amount={} duration={}\n", role,
                                  number & 7, number >> 3 & 3, number & 1,
                                  number % 3 == 0   ? "preempted"
                                  : number % 3 == 1 ? "blocked"
                                                    : "finished",
                                  number & 3, number, step);
    }
  }
  evt::Status status;
  return fuzz::trace_of(text, &status);
}

using Cells = std::vector<evt::CpuTime::Cell>;

// By who they are of: indexes are in the order in which a thread was met, also by what is recorded when it is over.
auto words_of(const evt::SessionState& state, std::int64_t ns) {
  const auto who = [](const evt::Actor& actor) { return std::tuple(actor.number, actor.part, actor.is_stream); };
  std::vector<std::tuple<std::tuple<std::uint64_t, std::uint32_t, bool>, std::tuple<std::uint64_t, std::uint32_t, bool>,
                         std::uint64_t, std::uint64_t, std::uint64_t>>
      all;
  for (const evt::CpuTime::Cell& cell : state.cpu.cells(std::max(ns, state.actors.now()))) {
    all.emplace_back(who(state.actors.threads()[cell.thread]), who(state.actors.cpus()[cell.cpu]), cell.ns, cell.slices,
                     cell.uncertain_ns);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// No cpu is busy for longer than there was time, and no thread runs for longer, but the one that is none.
void check_cells(const Cells& cells, const evt::ActorList& actors, std::uint64_t span) {
  std::vector<std::uint64_t> threads;
  std::vector<std::uint64_t> cpus;
  for (const evt::CpuTime::Cell& cell : cells) {
    threads.resize(std::max<std::size_t>(threads.size(), cell.thread + 1));
    cpus.resize(std::max<std::size_t>(cpus.size(), cell.cpu + 1));
    FUZZ_CHECK(actors[cell.thread].is_idle || (threads[cell.thread] += cell.ns) <= span);
    FUZZ_CHECK((cpus[cell.cpu] += cell.ns) <= span);
    FUZZ_CHECK(cell.uncertain_ns <= cell.ns);
  }
}

// All items, in order, each thread in one state at a time, and spans inside of one another; none is open at the end.
class Guarantees {
 public:
  void take(const evt::TimelineItem& item) {
    FUZZ_CHECK(item.ns >= now_);
    now_ = item.ns;
    if (item.kind == evt::ItemKind::kFold) return;
    if (item.kind == evt::ItemKind::kIdleThread) {
      states_.erase(item.thread);
      return forget(item.thread);
    }
    if (item.kind == evt::ItemKind::kThread) {
      FUZZ_CHECK(states_.try_emplace(item.thread, evt::ThreadState::kUnknown).second);
    } else if (item.kind == evt::ItemKind::kState) {
      FUZZ_CHECK(states_.contains(item.thread) && states_[item.thread] == item.before);
      states_[item.thread] = item.state;
      if (item.state != evt::ThreadState::kRunning || item.cpu == evt::Actor::kNone) return forget(item.thread);
      FUZZ_CHECK(!on_.contains(item.cpu) || on_[item.cpu] == item.thread);
      forget(item.thread);
      on_[item.cpu] = item.thread;
    } else if (item.kind == evt::ItemKind::kBegan) {
      FUZZ_CHECK(states_.contains(item.thread) && open_[item.thread].size() == item.depth);
      open_[item.thread].push_back(item.name);
      began_[item.thread].push_back(item.began_ns);
    } else if (item.kind == evt::ItemKind::kEnded) {
      auto& open = open_[item.thread];
      FUZZ_CHECK(item.depth < open.size() && open[item.depth] == item.name);
      FUZZ_CHECK(item.depth + 1 == open.size() || item.overlaps ||
                 began_[item.thread][item.depth + 1] >= item.ended_ns);
      began_[item.thread].erase(began_[item.thread].begin() + static_cast<std::ptrdiff_t>(item.depth));
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(item.depth));
    }
  }
  void finish() const {
    for (const auto& [thread, state] : states_) FUZZ_CHECK(state == evt::ThreadState::kEnded);
    for (const auto& [thread, open] : open_) FUZZ_CHECK(open.empty());
  }

 private:
  void forget(std::uint32_t thread) {
    std::erase_if(on_, [&](const auto& each) { return each.second == thread; });
  }

  std::int64_t now_ = INT64_MIN;
  std::map<std::uint32_t, evt::ThreadState> states_;
  std::map<std::uint32_t, std::uint32_t> on_;  // cpus: who runs there
  std::map<std::uint32_t, std::vector<std::uint32_t>> open_;
  std::map<std::uint32_t, std::vector<std::int64_t>> began_;
};

void check_lives(const evt::ThreadTimes& times, const evt::CpuTime& cpu, std::int64_t end, std::uint64_t span) {
  std::map<std::uint32_t, std::uint64_t> running;
  for (const evt::CpuTime::Cell& cell : cpu.cells(end)) running[cell.thread] += cell.ns;
  for (const evt::ThreadTimes::Row& row : times.rows(end)) {
    std::uint64_t sum = 0;
    for (const std::uint64_t ns : row.ns) sum += ns;
    FUZZ_CHECK(sum <= span && row.uncertain_ns <= sum);
    FUZZ_CHECK(row.ns[static_cast<std::size_t>(evt::ThreadState::kRunning)] == running[row.thread]);
  }
}

// Shares and the time in which no thread was active are all the time there was, whatever happens in it.
void check_shares(const evt::Share& share, std::int64_t end, std::uint64_t span) {
  auto sum = static_cast<double>(share.idle_ns(end));
  for (const evt::Share::Row& row : share.rows(end)) sum += row.time.share.as_double() * 0x1p-64;
  FUZZ_CHECK(std::abs(sum - static_cast<double>(span)) < 1);
}

void check_usage(const evt::Usage& usage, std::int64_t end, std::uint64_t span) {
  for (const evt::Usage::Row& row : usage.rows()) FUZZ_CHECK(row.sum.assumed_ns <= row.sum.stopped_ns);
  for (const evt::Usage::ThreadRow& row : usage.threads(end)) {
    std::uint64_t sum = 0;
    for (const std::uint64_t ns : row.times.ns) sum += ns;
    FUZZ_CHECK(sum <= span);
  }
}

// The time in spans and calls is that of the paths, each of which has no more of it than what it is in.
void check_paths(const evt::CallPaths& paths) {
  evt::CallPaths::Time inside;
  for (const evt::CallPaths::Inside& each : paths.inside()) inside += each.time;
  evt::CallPaths::Time self;
  for (const evt::CallPaths::Node& node : paths.nodes()) {
    self += node.self;
    FUZZ_CHECK(node.self.running_ns + node.self.stopped_ns <= node.self.ns);
    FUZZ_CHECK(node.sum_ns <= inside.ns && node.unfinished <= node.count);
  }
  FUZZ_CHECK(self == inside);
}

// `all`: that events count.
void check_counts(const evt::CallCounts& counts, std::uint64_t all) {
  std::uint64_t calls = 0;
  for (const evt::CallCounts::Row& row : counts.rows()) {
    evt::saturating_add(&calls, row.calls);
    FUZZ_CHECK(row.timed <= row.returned);
    FUZZ_CHECK(row.timed < row.returned || row.error_ns() == 0);
    FUZZ_CHECK(row.quantile(0.5) <= row.quantile(1));
    FUZZ_CHECK(row.lengths.empty() || row.quantile(1) <= std::max(row.min_ns, row.max_ns));
    FUZZ_CHECK(std::is_sorted(row.lengths.begin(), row.lengths.end(),
                              [](const auto& a, const auto& b) { return a.ns < b.ns; }));
  }
  FUZZ_CHECK(calls == all);
}

void check_folds(evt::Trace& trace, std::int64_t end) {
  evt::Timeline timeline(trace, {});
  FUZZ_CHECK(timeline.next_session());
  Guarantees guarantees;
  evt::CpuTime cpu;
  evt::ThreadTimes times;
  evt::Collections collections(timeline.actors().session());
  evt::Share running(timeline, evt::ShareModel::kRunning);
  evt::Share existing(timeline, evt::ShareModel::kExisting);
  evt::Share phase(timeline, evt::ShareModel::kPhase);
  evt::Spans spans(timeline, {true, 3000, 4});
  evt::CallPaths paths(timeline, {});
  evt::Usage usage(timeline, {{"name 1", 10}}, 3000);
  evt::Overhead overhead(timeline);
  evt::CallCounts counts(timeline, {});
  std::uint64_t counted = 0;
  // What the first event records may have begun before the session did.
  const std::int64_t begin = std::min<std::int64_t>(0, timeline.first_ns());
  const auto span = static_cast<std::uint64_t>(end - begin);
  for (evt::Share* const share : {&running, &existing, &phase}) share->restart(begin);
  while (const evt::TimelineItem* const item = timeline.next()) {
    guarantees.take(*item);
    cpu.take(*item);
    times.take(*item);
    collections.take(*item);
    for (evt::Share* const share : {&running, &existing, &phase}) share->take(*item);
    spans.take(*item);
    paths.take(*item);
    usage.take(*item);
    overhead.take(*item);
    counts.take(*item);
    const bool counts_calls = item->kind == evt::ItemKind::kRow && item->event->role == evt::Role::kCallCounts;
    if (counts_calls) evt::saturating_add(&counted, item->event->event->number(evt::Role::kValue).value_or(0));
  }
  check_counts(counts, counted);
  guarantees.finish();
  check_lives(times, cpu, end, span);
  for (const evt::Collections::Capability& row : collections.capabilities(end)) {
    FUZZ_CHECK(row.mutator_ns <= span);
  }
  // A collection that goes on is no pause, and pauses the program.
  FUZZ_CHECK(collections.doubts().unfinished > 0 || collections.paused_ns() <= collections.pauses().sum());
  check_shares(running, end, span);
  check_shares(existing, end, span);
  phase.rows(end);
  for (const evt::SpanKind kind : {evt::SpanKind::kSpan, evt::SpanKind::kCall}) {
    for (const evt::Spans::Row& row : spans.rows(kind)) {
      FUZZ_CHECK(row.self_ns <= row.lengths.sum() && row.sum_ns <= row.lengths.sum());
    }
  }
  for (const evt::Spans::Instance& each : spans.longest()) FUZZ_CHECK(each.self_ns <= each.place.ns);
  check_paths(paths);
  check_usage(usage, end, span);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::OwnFolder folder;
  Input in(data, size);
  const std::string bytes = trace_of(in);
  if (bytes.empty()) return 0;
  auto trace = evt::Trace::from_memory(fuzz::as_bytes(bytes));
  FUZZ_CHECK(trace.ok());
  const std::int64_t end = trace->sessions().front().last_ns;
  evt::HistoryOptions kept;
  kept.cache_folder = folder / "cache";
  kept.events_per_checkpoint = 4;
  kept.rows_per_byte = 0;
  evt::StateHistory with(*trace, kept);
  evt::StateHistory without(*trace, {});
  for (const std::int64_t ns : {end / 3, end / 2, end - 1, end}) {
    const evt::SessionState a = with.at(0, ns);
    const evt::SessionState b = without.at(0, ns);
    FUZZ_CHECK(words_of(a, ns) == words_of(b, ns));
    FUZZ_CHECK(a.counts.all() == b.counts.all() && a.actors.now() == b.actors.now());
    check_cells(a.cpu.cells(std::max(ns, a.actors.now())), a.actors.threads(), static_cast<std::uint64_t>(end));
  }
  FUZZ_CHECK(with.status().ok());
  FUZZ_CHECK(trace->sessions().front().rows < kept.events_per_checkpoint || !with.checkpoint_file().empty());
  unlink(with.checkpoint_file().c_str());
  check_folds(*trace, end);
  return 0;
}
