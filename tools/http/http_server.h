// HTTP over the loopback, by libmicrohttpd, which is known in the source file of this class alone.
#pragma once

#include <evt/status.h>

#include <chrono>
#include <functional>
#include <utility>

#include "connection.h"
#include "idle_time.h"
#include "loopback.h"
#include "response.h"

namespace evt::tools::http {

class HttpServer {
 public:
  struct Limits {
    unsigned connections = 32;
    std::chrono::seconds timeout{60};  // without a byte either way
  };
  enum class End { kStopped, kIdle };

  // Answers a request. Called from the threads of up to Limits::connections connections at once; what it throws becomes
  // status 500. It may take as long as it likes; the others are answered meanwhile.
  using Answer = std::function<Response(const Request&, const Connection&)>;

  HttpServer(Loopback loopback, Answer answer, IdleTime& idle, Limits limits);
  HttpServer(Loopback loopback, Answer answer, IdleTime& idle)
      : HttpServer(std::move(loopback), std::move(answer), idle, Limits{}) {}
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  // Serves until this descriptor is readable, or for as long as `idle` has time left. Then no handler runs any more.
  Result<End> run(int stop);

 private:
  class Running;
  Loopback loopback_;
  Answer answer_;
  IdleTime* idle_;
  Limits limits_;
};

}  // namespace evt::tools::http
