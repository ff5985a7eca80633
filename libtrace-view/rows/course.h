// Something that is in one state at a time, as time goes on.
#pragma once

#include "state_runs.h"

namespace evt::view {

class Course {
 public:
  // From now on, which is never before the last time. kNothing: it is in no state that is drawn.
  void become(const Scale& scale, Key key, std::int64_t ns) {
    if (key == key_) return;
    if (key_ != kNothing) runs_.add(scale, key_, since_ns_, ns);
    key_ = key;
    since_ns_ = ns;
  }
  Key key() const { return key_; }
  std::int64_t since_ns() const { return since_ns_; }
  void coarsen(const Scale& scale) { runs_.coarsen(scale); }
  // What it was up to this time, as StateRuns::show() has it.
  void show(const Zoom& zoom, std::int64_t until_ns, Shares* shares) const {
    runs_.show(zoom, shares);
    if (key_ != kNothing) shares->add(zoom.as(), key_, since_ns_, until_ns);
  }
  std::size_t size() const { return runs_.size(); }

 private:
  StateRuns runs_;  // of what has ended
  Key key_ = kNothing;
  std::int64_t since_ns_ = 0;
};

}  // namespace evt::view
