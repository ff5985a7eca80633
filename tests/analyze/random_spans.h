// Random programs whose threads run, sleep and have spans, as text, with all it takes to know better than an analysis.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace evt::testing {

inline constexpr int kThreads = 5;

// What was open in a thread.
struct Interval {
  std::int64_t from = 0;
  std::int64_t to = INT64_MAX;
  std::string name;
  bool recorded_late = false;
};

// A random program of few threads: events at even times, and all it takes to know better. Each records what it does
// itself.
class RandomSpans {
 public:
  explicit RandomSpans(unsigned seed) : random_(seed) {
    text_ =
        "type 1024 new role=threadCreate (t u8 role=thread)\ntype 1025 exit role=threadExit (t u8 role=thread)\n"
        "type 1026 run role=threadRun (t u8 role=thread) (c u8 role=cpu)\ntype 1027 stop role=threadStop (t u8 "
        "role=thread)\n"
        "type 1028 span role=spanBegin (t u8 role=thread) (n text role=name)\n"
        "type 1029 done role=spanEnd (t u8 role=thread)\n"
        "type 1030 call role=callBegin (t u8 role=thread) (f text role=function)\n"
        "type 1031 back role=callEnd (t u8 role=thread) (f text role=function)\n"
        "type 1032 was role=call (t u8 role=thread) (f text role=function) (d u32 role=duration unit=nanoseconds)\n"
        "stream 1 \"a\"\n";
    const unsigned events = 20 + below(150);
    for (unsigned i = 0; i < events; ++i) step(below(kThreads));
    end_ns = *times.rbegin();
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::string text() const { return text_; }
  std::vector<Interval> open[kThreads];                          // all that ever were, those inside behind those around
  std::vector<std::pair<std::int64_t, bool>> running[kThreads];  // from then on or not
  std::vector<std::pair<std::int64_t, bool>> existing[kThreads];
  std::set<std::int64_t> times;
  std::int64_t end_ns = 0;

 private:
  void say(const std::string& what) {
    text_ += fmt::format("0.{:09} 1 {}\n", now_, what);
    times.insert(now_);
  }
  static bool last(const std::vector<std::pair<std::int64_t, bool>>& changes) {
    return !changes.empty() && changes.back().second;
  }

  void step(unsigned t) {
    now_ += 2 * (1 + below(20));
    if (existing[t].size() == 2) return;  // it has ended
    if (existing[t].empty()) {
      existing[t].emplace_back(now_, true);
      return say(fmt::format("new t={}", t));
    }
    switch (below(9)) {
      case 0:
      case 1:
      case 2:
        running[t].emplace_back(now_, !last(running[t]));
        return say(last(running[t]) ? fmt::format("run t={} c={}", t, t) : fmt::format("stop t={}", t));
      case 3:
      case 4: {
        const bool is_call = below(2) == 0;
        const std::string name = fmt::format("{}{}", is_call ? "f" : "s", below(3));
        stack_[t].push_back(open[t].size());
        open[t].push_back({now_, INT64_MAX, name, false});
        return say(fmt::format(fmt::runtime(is_call ? "call t={} f=\"{}\"" : "span t={} n=\"{}\""), t, name));
      }
      case 5:
      case 6:
        return end_one(t);
      case 7:
        return tell_late(t);
      default:
        if (below(8) != 0) return;
        if (last(running[t])) running[t].emplace_back(now_, false);
        existing[t].emplace_back(now_, false);
        return say(fmt::format("exit t={}", t));
    }
  }
  void end_one(unsigned t) {
    if (stack_[t].empty()) return;
    Interval& one = open[t][stack_[t].back()];
    one.to = now_;
    stack_[t].pop_back();
    say(one.name[0] == 'f' ? fmt::format("back t={} f=\"{}\"", t, one.name) : fmt::format("done t={}", t));
  }
  // From an odd time that crosses nothing: inside of all that is open, and not inside of what has ended.
  void tell_late(unsigned t) {
    const std::int64_t least =
        std::max(existing[t].front().first, stack_[t].empty() ? 0 : open[t][stack_[t].back()].from);
    const std::int64_t from = (least + below(static_cast<unsigned>(now_ - least) + 1)) | 1;
    if (from >= now_) return;
    for (const Interval& other : open[t]) {
      if (other.from == from || (other.from < from && from < other.to && other.to < now_)) return;
    }
    open[t].push_back({from, now_, fmt::format("w{}", below(2)), true});
    times.insert(from);
    say(fmt::format("was t={} f=\"{}\" d={}", t, open[t].back().name, now_ - from));
  }

  std::mt19937 random_;
  std::string text_;
  std::int64_t now_ = 0;
  std::vector<std::size_t> stack_[kThreads];
};

}  // namespace evt::testing
