// Something that is in one state at a time, as time goes on.
#pragma once

#include "shares.h"

namespace evt::view {

class Course {
 public:
  // From now on, which is never before the last time. kNothing: it is in no state that is drawn.
  void become(const Scale& scale, Key key, std::int64_t ns) {
    if (key == key_) return;
    if (key_ != kNothing) shares_.add(scale, key_, since_ns_, ns);
    key_ = key;
    since_ns_ = ns;
  }
  Key key() const { return key_; }
  std::int64_t since_ns() const { return since_ns_; }
  // Of what has ended.
  const Shares& shares() const { return shares_; }

 private:
  Shares shares_;
  Key key_ = kNothing;
  std::int64_t since_ns_ = 0;
};

}  // namespace evt::view
