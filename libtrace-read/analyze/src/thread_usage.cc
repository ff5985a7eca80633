#include "thread_usage.h"

#include "parts.h"

namespace evt {
namespace {

// It would have done the same anyway.
bool is_asleep(Use use) { return use == Use::kSleeping || use == Use::kUnknown; }

}  // namespace

ThreadUsage::Frame* ThreadUsage::innermost_call() {
  for (std::size_t i = calls_ > 0 ? frames_.size() : 0; i > 0; --i) {
    if (frames_[i - 1].is_call) return &frames_[i - 1];
  }
  return nullptr;
}

void ThreadUsage::count(std::uint64_t ns, Times* times) const {
  if (!is_wanted_ || use_ == Use::kAbsent) return;
  const bool moves = stop_ != 0 && !is_asleep(use_);
  (moves ? times->moved : times->ns)[static_cast<std::size_t>(use_)] += ns;
}

void ThreadUsage::settle(std::int64_t ns) {
  if (ns <= since_ns_) return;
  const std::uint64_t own = length(since_ns_, ns);
  since_ns_ = ns;
  if (is_collecting_) return;
  Frame* const call = innermost_call();
  if (call == nullptr) {
    was_assumed_ |= is_assumed_ && is_wanted_;
    return count(own, &times_);
  }
  call->ns += own;
  if (call->names_nothing) {
    call->was_assumed |= is_assumed_ && is_wanted_;
    count(own, &call->times);
  }
  if (stop_ == 0) return;
  if (call->stops.empty() || call->stops.back().number != stop_ || !call->stops.back().counts) {
    call->stops.push_back({stop_, 0, 0, true});
  }
  (is_asleep(use_) ? call->stops.back().asleep_ns : call->stops.back().ns) += own;
}

void ThreadUsage::become(Use use, bool is_wanted, std::int64_t ns) {
  settle(ns);
  since_ns_ = ns;
  use_ = use;
  is_wanted_ = is_wanted;
  is_assumed_ = false;
  is_collecting_ = false;
}

void ThreadUsage::collect(bool is_collecting, std::int64_t ns) {
  settle(ns);
  is_collecting_ = is_collecting;
}

void ThreadUsage::assume_that_it_runs(bool is_wanted, std::int64_t ns) {
  become(Use::kCpu, is_wanted, ns);
  is_assumed_ = true;
}

ThreadUsage::Frame& ThreadUsage::begin(bool is_call, std::int64_t ns) {
  settle(ns);
  calls_ += is_call ? 1 : 0;
  Frame& frame = frames_.add();
  frame.is_call = is_call;
  return frame;
}

ThreadUsage::Frame& ThreadUsage::end(std::size_t depth, std::int64_t ns) {
  settle(ns);
  Frame& frame = frames_.remove(depth);
  calls_ -= frame.is_call ? 1 : 0;
  return frame;
}

void ThreadUsage::take_back(const Frame& frame) {
  was_assumed_ |= frame.was_assumed;
  for (std::size_t use = 0; use < kUses; ++use) {
    times_.ns[use] += frame.times.ns[use];
    times_.moved[use] += frame.times.moved[use];
  }
}

void ThreadUsage::stop(std::uint64_t number, std::int64_t ns) {
  settle(ns);
  stop_ = number;
}

void ThreadUsage::restart(std::int64_t ns) {
  settle(ns);
  times_ = Times();
  was_assumed_ = false;
  for (Frame& frame : frames_) {
    frame.before_ns += frame.ns;
    frame.ns = 0;
    frame.times = Times();
    frame.was_assumed = false;
    for (InStop& stop : frame.stops) stop.counts = false;
  }
}

ThreadUsage::Times ThreadUsage::times(std::int64_t ns) const {
  Times times = times_;
  if (calls_ == 0 && !is_collecting_ && ns > since_ns_) count(length(since_ns_, ns), &times);
  return times;
}

bool ThreadUsage::was_assumed_to_run(std::int64_t ns) const {
  return was_assumed_ || (is_assumed_ && is_wanted_ && calls_ == 0 && !is_collecting_ && ns > since_ns_);
}

}  // namespace evt
