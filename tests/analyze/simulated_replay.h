// A simulated program again, nanosecond by nanosecond, with parts of it left out.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "simulated_program.h"

namespace evt::testing {

// Its threads do what they did, in the same order: those that waited for others go on when these are as far as they
// were, and locks, cpus, messages and creations come after what they came after.
class SimulatedReplay {
 public:
  // Whether a nanosecond of a thread takes no time now.
  using IsLeftOut = std::function<bool(unsigned thread, std::int64_t ns)>;

  SimulatedReplay(const SimulatedProgram& program, std::int64_t from, IsLeftOut is_left_out)
      : program_(&program), is_left_out_(std::move(is_left_out)), from_(from), now_(from) {
    for (unsigned i = 0; i < program.threads(); ++i) done_.push_back(std::max(from, program.born_ns(i)));
    for (const SimulatedProgram::Need& need : program.needs()) {
      needs_.resize(std::max<std::size_t>(needs_.size(), need.thread + 1));
      needs_[need.thread].push_back(need);
    }
    needs_.resize(program.threads());
  }

  // When the thread has done all that it did before `to`.
  std::int64_t ends(unsigned thread, std::int64_t to) {
    for (;;) {
      while (go_on_for_nothing()) continue;
      if (done_[thread] >= to) return now_;
      const std::vector<std::int64_t> before = done_;
      for (unsigned i = 0; i < done_.size(); ++i) {
        if (is_alive(i) && !is_held(i, before) && done_[i] < program_->end_ns()) ++done_[i];
      }
      ++now_;
    }
  }

 private:
  // The ones that no thread creates come when they came.
  bool is_alive(unsigned thread) const { return is_created(thread) || now_ >= program_->born_ns(thread); }
  bool is_created(unsigned thread) const {
    return !needs_[thread].empty() && needs_[thread].front().until == program_->born_ns(thread);
  }
  bool is_held(unsigned thread, const std::vector<std::int64_t>& done) const {
    return std::ranges::any_of(needs_[thread], [&](const SimulatedProgram::Need& need) {
      return need.until == done[thread] && need.until >= from_ && done[need.other] < need.other_at;
    });
  }
  bool waits(unsigned thread) const {
    return std::ranges::any_of(needs_[thread], [&](const SimulatedProgram::Need& need) {
      return need.from <= done_[thread] && done_[thread] < need.until;
    });
  }
  bool go_on_for_nothing() {
    bool has_gone_on = false;
    for (unsigned i = 0; i < done_.size(); ++i) {
      while (is_alive(i) && done_[i] < program_->end_ns() && !is_held(i, done_) &&
             (waits(i) || is_left_out_(i, done_[i]))) {
        ++done_[i];
        has_gone_on = true;
      }
    }
    return has_gone_on;
  }

  const SimulatedProgram* program_;
  IsLeftOut is_left_out_;
  std::int64_t from_;
  std::int64_t now_;
  std::vector<std::int64_t> done_;  // by thread: up to which of its nanoseconds
  std::vector<std::vector<SimulatedProgram::Need>> needs_;
};

}  // namespace evt::testing
