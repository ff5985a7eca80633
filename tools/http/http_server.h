// HTTP over the loopback, by libmicrohttpd, which is known in the source file of this class alone.
#pragma once

#include <evt/status.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

#include "loopback.h"
#include "routes.h"

namespace evt::tools::http {

// How long the server has been without use. Thread-safe.
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

class HttpServer {
 public:
  struct Limits {
    unsigned connections = 32;
    std::chrono::seconds timeout{60};  // without a byte either way
  };
  enum class End { kStopped, kIdle };

  // Refers to the routes. Their handlers are called from the threads of up to Limits::connections connections at once;
  // what they throw becomes status 500. They may take as long as they like; others are answered meanwhile.
  HttpServer(Loopback loopback, const Routes& routes, IdleTime& idle, Limits limits);
  HttpServer(Loopback loopback, const Routes& routes, IdleTime& idle)
      : HttpServer(std::move(loopback), routes, idle, Limits{}) {}
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  // Serves until this descriptor is readable, or for as long as `idle` has time left. Then no handler runs any more.
  Result<End> run(int stop);

 private:
  class Running;
  Loopback loopback_;
  const Routes* routes_;
  IdleTime* idle_;
  Limits limits_;
};

}  // namespace evt::tools::http
