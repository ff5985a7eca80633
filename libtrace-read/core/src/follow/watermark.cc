#include "watermark.h"

namespace evt {

void Watermark::meet(std::int64_t latest_ns, Clock::time_point now) {
  if (!due_ns_) {
    const std::int64_t delay_ns = std::chrono::nanoseconds(delay_).count();
    due_ns_ = latest_ns < INT64_MIN + delay_ns ? INT64_MIN : latest_ns - delay_ns;
  }
  if (latest_ns > (met_.empty() ? *due_ns_ : met_.back().ns)) met_.push_back({now, latest_ns});
  for (; !met_.empty() && met_.front().at + delay_ <= now; met_.pop_front()) due_ns_ = met_.front().ns;
}

}  // namespace evt
