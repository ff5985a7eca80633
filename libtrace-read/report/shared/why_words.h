// Causes of time in words.
#pragma once

#include <evt/analysis/why.h>
#include <evt/timeline.h>

#include <optional>
#include <string>

#include "thread_groups.h"

namespace evt::report {

class WhyWords {
 public:
  // Both must outlive it.
  WhyWords(Timeline& timeline, const Why& why) : timeline_(&timeline), why_(&why) {}

  // `above`: the step before, of which it is the cause. A step without a thread is that of any.
  std::string sentence(const WhyStep& step, const WhyStep& above) const;
  const char* key(const WhyStep& step) const;     // for programs
  std::string thread(std::uint32_t index) const;  // its name, and its number if others share the name
  std::uint64_t cpu_number(std::uint32_t index) const { return timeline_->actors().cpus()[index].number; }
  std::string name(const WhyStep& step) const;
  // What a call or wait was about, and its kind; empty if the step has none. An index in Why::targets(), or that of the
  // step.
  std::string object(std::uint32_t target) const;
  std::string resource(std::uint32_t target) const;
  // That nobody is known for whom it waited.
  const char* unknown_cause(const WhyStep& wait) const;
  std::uint32_t target_of(const WhyStep& step) const;

 private:
  const WhyPlace* place_of(const WhyStep& step) const;
  std::string call_of(const WhyPlace* place) const;
  std::string in(const char* what, const WhyStep& step) const;
  std::string wait_of(const WhyStep& step) const;
  std::string cause_of(const WhyStep& step, const WhyStep& above) const;
  std::string runnable_of(const WhyStep& step) const;
  std::string collection_of(const WhyStep& step) const;

  Timeline* timeline_;
  const Why* why_;
  mutable std::optional<ThreadTexts> threads_;  // once all have their names
};

}  // namespace evt::report
