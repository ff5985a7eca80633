#include "serve.h"

#include <signal.h>
#include <sys/eventfd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "access.h"
#include "browser.h"
#include "descriptor.h"
#include "http_server.h"
#include "loopback.h"

namespace evt::tools::http {
namespace {

constexpr int kStopSignals[2] = {SIGINT, SIGTERM};

std::atomic<int> stop_event{-1};

void raise_stop_event(int) {
  const int error = errno;
  eventfd_write(stop_event.load(), 1);
  errno = error;
}

// SIGINT and SIGTERM as a descriptor that becomes readable; the second signal ends the program at once. One at a time
// in a program. A handler, not a blocked signal: threads that run already and programs that are started meanwhile have
// nothing of it.
class StopSignals {
 public:
  StopSignals() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    stop_event = event_.number();
    struct sigaction action {};
    action.sa_handler = raise_stop_event;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (int i = 0; i < 2; ++i) sigaction(kStopSignals[i], &action, &before_[i]);
  }

  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // What the signals did before, they do again.
  ~StopSignals() {
    for (int i = 0; i < 2; ++i) sigaction(kStopSignals[i], &before_[i], nullptr);
  }

  int descriptor() const { return event_.number(); }

 private:
  Descriptor event_;
  struct sigaction before_[2] = {};
};

Status announce(const std::string& url, bool is_open, const Surroundings& surroundings, std::uint16_t port) {
  if (is_open) {
    std::fprintf(stderr, "opened in the browser: %s\n", url.c_str());
    return {};
  }
  if (std::printf("%s\n", url.c_str()) < 0 || std::fflush(stdout) != 0) {
    return {Code::kIo, std::string("cannot write standard output: ") + std::strerror(errno)};
  }
  if (const auto line = ssh_line(surroundings, port)) {
    std::fprintf(stderr, "to open it on the machine that you logged in from, run there: %s\n", line->c_str());
  }
  return {};
}

// "30 min", "90 s", "200 ms".
std::string length_text(std::chrono::milliseconds length) {
  const auto count = length.count();
  if (count % 60'000 == 0) return std::to_string(count / 60'000) + " min";
  return count % 1000 == 0 ? std::to_string(count / 1000) + " s" : std::to_string(count) + " ms";
}

}  // namespace

Status serve(const ServeOptions& options, const std::function<void(Routes&)>& add_routes) {
  const StopSignals signals;
  const Result<std::string> token = make_token();
  if (!token) return token.status();
  Result<Loopback> loopback = Loopback::open(options.port);
  if (!loopback) return loopback.status();
  const std::uint16_t port = loopback->port();
  Routes routes(Access(port, options.allowed_hosts, *token));
  add_routes(routes);
  IdleTime idle(options.idle);
  HttpServer server(std::move(*loopback), routes, idle);

  // The sockets listen already: what the browser asks before run() waits for it.
  const std::string url = "http://127.0.0.1:" + std::to_string(port) + "/#k=" + *token;
  const Surroundings surroundings = Surroundings::of_process();
  Browser browser(surroundings);
  const bool is_open = options.opens_browser && browser.open(url);
  if (const Status announced = announce(url, is_open, surroundings, port); !announced.ok()) return announced;
  const Result<HttpServer::End> end = server.run(signals.descriptor());
  if (!end) return end.status();
  if (*end == HttpServer::End::kIdle) {
    std::fprintf(stderr, "ended after %s without a request\n", length_text(options.idle).c_str());
  }
  return {};
}

}  // namespace evt::tools::http
