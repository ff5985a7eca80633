// Random programs of many threads that live for a short time, as text.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "scheduling.h"

namespace evt::testing {

// At most eight live at a time; each has a number of its own. They run on three cpus, each of which is a stream.
class ManyThreads {
 public:
  explicit ManyThreads(unsigned seed) : random_(seed) {
    text_ = std::string(kThreadTypes) +
            "type 1028 span role=spanBegin (t u64 role=thread) (n text role=name)\n"
            "type 1029 done role=spanEnd (t u64 role=thread)\n"
            "type 1030 call role=callBegin (t u64 role=thread) (f text role=function) (r text role=resource)\n"
            "type 1031 back role=callEnd (t u64 role=thread) (f text role=function) (a u32 role=amount)\n"
            "type 1032 was role=call (t u64 role=thread) (f text role=function) (d u32 role=duration "
            "unit=nanoseconds)\n"
            "type 1033 cost role=overhead (why text role=reason) (d u32 role=duration unit=nanoseconds)\n"
            "stream 1 \"a\"\nstream 2 \"b\"\nstream 3 \"c\"\n";
    while (made_ < 80) step();
    end_ns_ = now_ + 10;
  }

  const std::string& text() const { return text_; }
  std::int64_t end_ns() const { return end_ns_; }

 private:
  struct Thread {
    std::uint64_t number = 0;
    unsigned cpu = 0;
    bool runs = false;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  void say(unsigned cpu, const std::string& what) { text_ += fmt::format("0.{:09} {} {}\n", now_, cpu + 1, what); }

  void step() {
    now_ += 1 + below(30);
    if (below(30) == 0) return say(below(3), "!lost count=2 cause=ring_full duration=0.000000000");
    if (threads_.empty() || (threads_.size() < 8 && below(5) == 0)) {
      threads_.push_back({1000 + made_++, 0, false});
      return say(below(3), fmt::format("thread.create thread={}", threads_.back().number));
    }
    const std::size_t at = below(static_cast<unsigned>(threads_.size()));
    threads_[at].runs ? step_of_running(at) : step_of_waiting(threads_[at]);
  }

  void step_of_waiting(Thread& t) {
    const unsigned cpu = below(3);
    if (below(3) == 0) {
      return say(cpu, fmt::format("thread.wake thread={} waker={}", t.number,
                                  threads_[below(static_cast<unsigned>(threads_.size()))].number));
    }
    for (Thread& other : threads_) other.runs &= other.cpu != cpu;
    t.cpu = cpu;
    t.runs = true;
    say(cpu, fmt::format("thread.run thread={} cpu={}", t.number, cpu));
  }

  void step_of_running(std::size_t at) {
    Thread& t = threads_[at];
    switch (below(9)) {
      case 0:
        return say(t.cpu, fmt::format("span t={} n=\"s{}\"", t.number, below(3)));
      case 1:
        return say(t.cpu, fmt::format("done t={}", t.number));
      case 2:
        return say(t.cpu, fmt::format("call t={} f=\"f{}\" r=\"disk\"", t.number, below(3)));
      case 3:
        return say(t.cpu, fmt::format("back t={} f=\"f{}\" a={}", t.number, below(3), below(100)));
      case 4:
        return say(t.cpu, fmt::format("was t={} f=\"g\" d={}", t.number, below(40)));
      case 5:
        return say(t.cpu, fmt::format("cost why=\"w{}\" d={}", below(2), below(5)));
      case 6:
        t.runs = false;
        return say(t.cpu, fmt::format("thread.stop thread={} reason={} object=0", t.number,
                                      below(2) == 0 ? "blocked" : "preempted"));
      default:
        say(t.cpu, fmt::format("thread.exit thread={}", t.number));
        threads_.erase(threads_.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<Thread> threads_;
  std::uint64_t made_ = 0;
  std::int64_t now_ = 0;
  std::int64_t end_ns_ = 0;
};

}  // namespace evt::testing
