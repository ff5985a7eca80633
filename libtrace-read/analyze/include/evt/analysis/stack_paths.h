// Which code took the time, or waited: samples of stacks, by the path of their functions.
#pragma once

#include <evt/analysis/call_paths.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order. Each sample counts its weight for the innermost frame of its stack. Memory
// grows with distinct stacks, and with paths, whose number is limited as that of CallPaths.
class StackPaths {
 public:
  enum class By : std::uint8_t { kFunction, kModule, kLine };

  struct Options {
    bool by_thread = false;  // one tree per thread, else one for all
    By by = By::kFunction;   // what a frame is called
    bool waiting = false;    // samples of waits, which have a duration, instead of those of processor time
  };
  struct Doubts {
    // Samples that could not be counted:
    std::uint64_t no_time = 0;   // their weight states no time
    std::uint64_t no_stack = 0;  // the trace does not have their stack
    // Sampled time whose stacks are incomplete: the outermost frame is [truncated].
    std::uint64_t truncated_ns = 0;
  };

  // The timeline of the items must outlive it.
  StackPaths(Timeline& timeline, const Options& options);

  // REQUIRES: items of kind kRow of events of role sample, and of kind kFold.
  void take(const TimelineItem& item);
  // Counts only from this moment on.
  void restart();

  // Parents come before their children. `count` is that of the samples in whose stack it was the innermost frame,
  // `sum_ns` the time of all in whose stack it was, once each.
  const std::vector<CallPaths::Node>& nodes() const;
  std::vector<CallPaths::Inside> inside() const;
  bool has_other_paths() const;
  // The path of the program or library that has a function of this name: of several the one met first.
  std::string module_of(std::uint32_t name) const;
  std::uint64_t samples() const;
  // False: some of those stand for any number of samples.
  bool is_exact() const;
  const Doubts& doubts() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
