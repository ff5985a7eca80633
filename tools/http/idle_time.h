// How long the server has been without use. Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

namespace evt::tools::http {

class IdleTime {
 public:
  using Clock = std::chrono::steady_clock;

  explicit IdleTime(std::chrono::milliseconds most, std::function<Clock::time_point()> now = Clock::now);

  void begin_request();
  // A request that was refused is no use: a page of another site could keep the server alive with such.
  void end_request(bool was_served);

  // Until the server has been idle for long enough; all of it while a request is being answered. 0 or less: it has.
  std::chrono::milliseconds left() const;

 private:
  const std::chrono::milliseconds most_;
  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  int requests_ = 0;
  Clock::time_point last_;
};

}  // namespace evt::tools::http
