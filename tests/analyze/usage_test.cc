// Usage against a model that knows all before it looks at each stretch of time.
#include <evt/analysis/usage.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "support/text_trace.h"
#include "timeline_items.h"

namespace evt::testing {
namespace {

constexpr unsigned kThreads = 3;
constexpr std::uint64_t kLimit = 1'000'000'000;  // of the resource `disk`: one each nanosecond

struct Call {
  std::int64_t from = 0;
  std::int64_t to = 0;
  unsigned function = 0;  // odd ones are of disk
  std::uint64_t amount = 0;
  std::uint64_t ns = 0;                             // without calls inside of it
  std::map<std::size_t, std::uint64_t> stopped_ns;  // by stop
};

// What of the stops counts: each whose whole length the call took longer than it must, one after another.
std::uint64_t moved_of(const Call& call, std::uint64_t must) {
  std::uint64_t left = call.ns > must ? call.ns - must : 0;
  std::uint64_t moved = 0;
  for (const auto& [stop, ns] : call.stopped_ns) {
    if (ns > left) continue;
    left -= ns;
    moved += ns;
  }
  return moved;
}

// A random program: events at even times, what is recorded late begins at odd ones, and so do stops.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    text_ =
        "type 1024 run role=threadRun (t u8 role=thread) (c u8 role=cpu)\n"
        "type 1025 stop role=threadStop (t u8 role=thread) (why enum8 role=reason labels=[0=preempted 1=sleeping])\n"
        "type 1026 call role=callBegin (t u8 role=thread) (f u8 role=function) (r text role=resource)\n"
        "type 1027 back role=callEnd (t u8 role=thread) (f u8 role=function) (n u64 role=amount)\n"
        "type 1028 was role=call (t u8 role=thread) (f u8 role=function) (r text role=resource) (n u64 role=amount)"
        " (d u32 role=duration unit=nanoseconds)\n"
        "type 1029 frozen role=stopped (d u32 role=duration unit=nanoseconds)\nstream 1 \"a\"\n";
    for (unsigned t = 0; t < kThreads; ++t) change(t, Use::kCpu, fmt::format("run t={} c={}", t, t));
    const unsigned events = 10 + below(70);
    for (unsigned i = 0; i < events; ++i) step(below(kThreads));
    now_ += 2;
    for (unsigned t = 0; t < kThreads; ++t) {
      while (!stack_[t].empty()) end_one(t);
      uses[t].emplace_back(now_, Use::kAbsent);
    }
    std::sort(ends.begin(), ends.end());
  }
  const std::string& text() const { return text_; }
  std::int64_t end_ns() const { return now_; }

  std::vector<Call> calls[kThreads];
  std::vector<std::pair<std::int64_t, Use>> uses[kThreads];  // from then on
  std::vector<std::pair<std::int64_t, std::int64_t>> stops;
  std::vector<std::tuple<std::size_t, unsigned, std::size_t>> ends;  // in the order of their records; which call

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  void say(const std::string& what) { text_ += fmt::format("0.{:09} 1 {}\n", now_, what); }
  void change(unsigned t, Use use, const std::string& what) {
    uses[t].emplace_back(now_, use);
    say(what);
  }
  static const char* resource(unsigned function) { return function % 2 == 1 ? "disk" : "net"; }

  void step(unsigned t) {
    now_ += 2 * (1 + below(10));
    switch (below(8)) {
      case 0:
        return change(t, Use::kCpu, fmt::format("run t={} c={}", t, t));
      case 1:
        if (uses[t].back().second != Use::kCpu) return;
        return below(2) == 0 ? change(t, Use::kRunnable, fmt::format("stop t={} why=preempted", t))
                             : change(t, Use::kSleeping, fmt::format("stop t={} why=sleeping", t));
      case 2:
      case 3:
        stack_[t].push_back(calls[t].size());
        calls[t].push_back({now_, INT64_MAX, below(4), 0, 0, {}});
        return say(
            fmt::format("call t={} f={} r=\"{}\"", t, calls[t].back().function, resource(calls[t].back().function)));
      case 4:
        if (!stack_[t].empty()) end_one(t);
        return;
      case 5:
      case 6:
        return tell_late(t);
      default:
        return stop();
    }
  }
  void end_one(unsigned t) {
    Call& call = calls[t][stack_[t].back()];
    call.to = now_;
    call.amount = below(60);
    ends.emplace_back(ends.size(), t, stack_[t].back());
    stack_[t].pop_back();
    say(fmt::format("back t={} f={} n={}", t, call.function, call.amount));
  }
  void tell_late(unsigned t) {
    const std::int64_t least = stack_[t].empty() ? uses[t].front().first : calls[t][stack_[t].back()].from;
    const std::int64_t from = std::max(least, now_ - static_cast<std::int64_t>(below(100))) | 1;
    if (from >= now_) return;
    for (const Call& other : calls[t]) {
      if (other.from == from || (other.from < from && from < other.to && other.to < now_)) return;
    }
    ends.emplace_back(ends.size(), t, calls[t].size());
    calls[t].push_back({from, now_, below(4), below(60), 0, {}});
    const Call& call = calls[t].back();
    say(fmt::format("was t={} f={} r=\"{}\" n={} d={}", t, call.function, resource(call.function), call.amount,
                    now_ - from));
  }
  void stop() {
    const std::int64_t least = stops.empty() ? 0 : stops.back().second;
    const std::int64_t from = std::max(least, now_ - static_cast<std::int64_t>(below(60)));
    if (from >= now_) return;
    stops.emplace_back(from, now_);
    say(fmt::format("frozen d={}", now_ - from));
  }

  std::mt19937 random_;
  std::string text_;
  std::int64_t now_ = 0;
  std::vector<std::size_t> stack_[kThreads];
};

// By thread, and by function or by use.
struct Sums {
  std::map<std::pair<unsigned, unsigned>, std::array<std::uint64_t, 5>> calls;  // calls, amount, ns, stopped, assumed
  std::map<std::pair<unsigned, unsigned>, std::array<std::uint64_t, 2>> uses;   // ns, stopped

  bool operator==(const Sums&) const = default;
};

Sums sums_of(Program program) {
  Sums sums;
  for (unsigned t = 0; t < kThreads; ++t) {
    for (std::int64_t ns = program.uses[t].front().first; ns < program.end_ns(); ++ns) {
      const auto stop = std::find_if(program.stops.begin(), program.stops.end(),
                                     [&](const auto& each) { return each.first <= ns && ns < each.second; });
      const bool stopped = stop != program.stops.end();
      Use use = Use::kAbsent;
      for (const auto& [from, value] : program.uses[t]) use = from <= ns ? value : use;
      Call* in = nullptr;
      for (Call& call : program.calls[t]) {
        if (call.from <= ns && ns < call.to && (in == nullptr || call.from > in->from)) in = &call;
      }
      if (in != nullptr) {
        ++in->ns;
        // Who sleeps in a call that has no limit would have slept anyway.
        if (stopped && (use != Use::kSleeping || in->function % 2 == 1))
          ++in->stopped_ns[static_cast<std::size_t>(stop - program.stops.begin())];
        continue;
      }
      ++sums.uses[{t, static_cast<unsigned>(use)}][stopped && use != Use::kSleeping ? 1 : 0];
    }
  }
  std::int64_t busy = 0;
  for (const auto& [order, t, index] : program.ends) {
    const Call& call = program.calls[t][index];
    std::uint64_t must = 0;
    const bool has_limit = call.function % 2 == 1;
    if (has_limit) {
      const std::int64_t until = std::max(busy, call.from) + static_cast<std::int64_t>(call.amount);
      must = static_cast<std::uint64_t>(until - call.from);
      busy = std::min(until, call.to);
    }
    const std::uint64_t moved = moved_of(call, must);
    auto& sum = sums.calls[{t, call.function}];
    sum[0] += 1;
    sum[1] += call.amount;
    sum[2] += call.ns - moved;
    sum[3] += moved;
    sum[4] += has_limit ? 0 : moved;
  }
  return sums;
}

Sums sums_of(const Usage& usage, const EventNames& names, std::int64_t ns) {
  Sums sums;
  for (const Usage::Row& row : usage.rows()) {
    const auto function = static_cast<unsigned>(std::stoul(names.text(row.function).substr(2)));
    sums.calls[{row.thread, function}] = {row.sum.calls, row.sum.amount, row.sum.ns, row.sum.stopped_ns,
                                          row.sum.assumed_ns};
  }
  for (const Usage::ThreadRow& row : usage.threads(ns)) {
    for (unsigned use = 0; use < Usage::kUses; ++use) {
      if (row.times.ns[use] + row.times.moved[use] > 0) {
        sums.uses[{row.thread, use}] = {row.times.ns[use], row.times.moved[use]};
      }
    }
  }
  return sums;
}

struct Busy {
  std::uint64_t calls = 0;
  std::uint64_t amount = 0;
  std::uint64_t ns = 0;
  std::uint64_t longest_ns = 0;

  bool operator==(const Busy&) const = default;
};

// Of the disk, since a moment: it serves a call in the nanoseconds of it in which it has served no other.
Busy busy_of(const Program& program, std::int64_t from) {
  Busy busy;
  std::set<std::int64_t> served;
  for (const auto& [order, t, index] : program.ends) {
    const Call& call = program.calls[t][index];
    if (call.function % 2 == 0) continue;
    std::uint64_t left = call.amount;
    std::int64_t ns = served.empty() ? call.from : std::max(call.from, *served.rbegin() + 1);
    for (; left > 0 && ns < call.to; --left) served.insert(ns++);
    if (call.to < from) continue;
    ++busy.calls;
    busy.amount += call.amount;
  }
  std::uint64_t length = 0;
  for (auto ns = served.lower_bound(from); ns != served.end(); ++ns) {
    length = served.contains(*ns - 1) && *ns > from ? length + 1 : 1;
    ++busy.ns;
    busy.longest_ns = std::max(busy.longest_ns, length);
  }
  return busy;
}

TEST(UsageProperty, OfALimitIsTheNanosecondsInWhichItServed) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Program program(seed);
    const std::string bytes = trace_from_text(program.text());
    for (const std::int64_t from : {std::int64_t{0}, program.end_ns() / 2 | 1}) {
      Trace trace = open_trace(bytes);
      Timeline timeline(trace, {});
      ASSERT_TRUE(timeline.next_session());
      Usage usage(timeline, {{"disk", kLimit}});
      take_all(timeline, usage, from);
      Busy found;
      for (const Usage::Limited& row : usage.limited()) {
        EXPECT_EQ(row.target, Usage::kNone);
        found = {row.calls, row.amount, row.busy_ns, row.longest_ns};
      }
      ASSERT_EQ(found, busy_of(program, from)) << "seed " << seed << " from " << from << "\n" << program.text();
    }
  }
}

TEST(UsageProperty, IsWhatEachNanosecondSays) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Program program(seed);
    const std::string bytes = trace_from_text(program.text());
    Trace trace = open_trace(bytes);
    Timeline timeline(trace, {});
    ASSERT_TRUE(timeline.next_session());
    Usage usage(timeline, {{"disk", kLimit}});
    take_all(timeline, usage);
    const Sums found = sums_of(usage, timeline.names(), program.end_ns());
    const Sums wanted = sums_of(program);
    ASSERT_EQ(found.uses, wanted.uses) << "seed " << seed << "\n" << program.text();
    ASSERT_EQ(found.calls, wanted.calls) << "seed " << seed << "\n" << program.text();
  }
}

}  // namespace
}  // namespace evt::testing
