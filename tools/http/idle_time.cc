#include "idle_time.h"

#include <utility>

namespace evt::tools::http {

IdleTime::IdleTime(std::chrono::milliseconds most, std::function<Clock::time_point()> now)
    : most_(most), now_(std::move(now)), last_(now_()) {}

void IdleTime::begin_request() {
  const std::lock_guard lock(mutex_);
  ++requests_;
}

void IdleTime::end_request(bool was_served) {
  const std::lock_guard lock(mutex_);
  --requests_;
  if (was_served) last_ = now_();
}

std::chrono::milliseconds IdleTime::left() const {
  const std::lock_guard lock(mutex_);
  if (requests_ > 0) return most_;
  return std::chrono::ceil<std::chrono::milliseconds>(last_ + most_ - now_());
}

}  // namespace evt::tools::http
