// Traces of scheduling, made at random, and what a slow and simple reading finds in them.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>

#include "support/text_trace.h"

namespace evt::testing {

// The standard events of threads, as the text form declares them.
inline constexpr std::string_view kThreadTypes =
    "type 1 thread.create role=threadCreate (thread u64 role=thread)\n"
    "type 2 thread.name role=threadName (thread u64 role=thread) (name text role=name)\n"
    "type 3 thread.runnable role=threadRunnable (thread u64 role=thread)\n"
    "type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
    "labels=[0=unknown 1=preempted 2=yielded 3=blocked 4=sleeping 5=finished 6=called_out]) (object u64 role=object)\n"
    "type 6 thread.wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)\n"
    "type 8 thread.exit role=threadExit (thread u64 role=thread)\n"
    "type 13 mark role=mark (message text role=message)\n"
    "type 1024 run.here role=threadRun (thread u64 role=thread)\n"
    "type 1025 stop.here role=threadStop (thread u64 role=thread)\n";

// Threads run and stop on cpus at random, properly for the most part, and at times as no scheduler would have it:
// without a stop, without a run, two at a time. Up to one stream for each cpu.
class Scheduling {
 public:
  struct Step {
    std::int64_t ns = 0;
    std::uint32_t stream = 0;
    std::uint64_t thread = 0;
    std::uint32_t cpu = 0;
    bool runs = false;
  };

  explicit Scheduling(unsigned seed) : random_(seed) {
    const std::uint32_t cpus = 1 + pick(4);
    const std::uint32_t threads = 1 + pick(6);
    std::int64_t now = 0;
    std::map<std::uint32_t, std::uint64_t> on;  // cpu -> thread
    for (std::uint32_t i = 20 + pick(60); i > 0; --i) {
      now += pick(5) == 0 ? 0 : 1 + pick(seed % 3 == 0 ? 2'000'000'000 : 50);
      const std::uint32_t cpu = pick(cpus);
      const auto there = on.find(cpu);
      const bool odd = pick(8) == 0;
      const bool runs = (there == on.end()) != odd;
      const std::uint64_t thread = runs || there == on.end() ? 1 + pick(threads) : there->second;
      steps_.push_back({now, cpu + 1, thread, cpu, runs});
      if (runs) {
        on[cpu] = thread;
      } else {
        on.erase(cpu);
      }
    }
    end_ns_ = now + pick(20);
    // Ties are in the order of their streams.
    std::stable_sort(steps_.begin(), steps_.end(),
                     [](const Step& a, const Step& b) { return a.ns != b.ns ? a.ns < b.ns : a.stream < b.stream; });
  }

  std::string text() const {
    std::string text(kThreadTypes);
    for (std::uint32_t stream = 1; stream <= 4; ++stream)
      text += fmt::format("stream {} \"cpu {}\"\n", stream, stream - 1);
    for (const Step& step : steps_) {
      text += fmt::format("{}.{:09} {} {}.here thread={}\n", step.ns / kSecond, step.ns % kSecond, step.stream,
                          step.runs ? "run" : "stop", step.thread);
    }
    return text + fmt::format("{}.{:09} 4 mark message=\"end\"\n", end_ns_ / kSecond, end_ns_ % kSecond);
  }

  using Totals = std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t>;  // by thread and cpu

  // Goes over all steps for each nanosecond's worth: for every pair of neighbouring steps, who runs between them.
  Totals totals_at(std::int64_t ns) const {
    Totals totals;
    for (std::size_t i = 0; i < steps_.size() && steps_[i].ns <= ns; ++i) {
      const std::int64_t until = i + 1 < steps_.size() ? std::min(steps_[i + 1].ns, ns) : ns;
      for (const auto& [cpu, thread] : who_runs_after(i)) {
        totals[{thread, cpu}] += static_cast<std::uint64_t>(until - steps_[i].ns);
      }
    }
    std::erase_if(totals, [](const auto& total) { return total.second == 0; });
    return totals;
  }

  const std::vector<Step>& steps() const { return steps_; }
  std::int64_t end_ns() const { return end_ns_; }

 private:
  static constexpr std::int64_t kSecond = 1'000'000'000;

  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  // A cpu runs the last thread recorded on it, unless that one was recorded to stop there, or to run elsewhere, since.
  std::map<std::uint32_t, std::uint64_t> who_runs_after(std::size_t last) const {
    std::map<std::uint32_t, std::uint64_t> on;
    for (std::size_t i = 0; i <= last; ++i) {
      const Step& step = steps_[i];
      if (step.runs) {
        std::erase_if(on, [&](const auto& each) { return each.second == step.thread; });
        on[step.cpu] = step.thread;
      } else if (const auto found = on.find(step.cpu); found != on.end() && found->second == step.thread) {
        on.erase(found);
      }
    }
    return on;
  }

  std::mt19937 random_;
  std::vector<Step> steps_;
  std::int64_t end_ns_ = 0;
};

}  // namespace evt::testing
