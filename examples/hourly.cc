// Serves one request a second; one request an hour is slow. The clock is simulated, so the hour is over at once.
#include <evt/trace_macros.h>
#include <evt/writer.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

std::uint64_t now_ms = 0;

void work(std::uint64_t ms) { now_ms += ms; }

void load_prices() {
  EVT_SPAN("load_prices");
  static std::uint64_t expires_ms = 2'700'000;
  work(3);
  if (now_ms < expires_ms) return;
  expires_ms += 3'600'000;
  EVT_SPAN("read_price_list");
  work(840);
}

// [snippet: slow-request]
void serve(int request) {
  EVT_SPAN("request");
  const std::uint64_t begin_ms = now_ms;
  load_prices();
  work(2);
  const std::uint64_t ms = now_ms - begin_ms;
  if (ms > 500) EVT_TRACE("app.slow_request", "request", request, "ms", ms);
}
// [end]

}  // namespace

int main() {
  evt_clock clock = {};
  clock.now = [](void*) { return now_ms; };
  clock.hz = 1000;
  evt_options options = {};
  options.clock = &clock;
  auto writer = evt::Writer::open_from_env(options);
  if (!writer) return std::fprintf(stderr, "%s\n", writer.status().message().c_str()), 1;
  std::uint64_t due_ms = 0;
  for (int request = 0; request < 3600; ++request, due_ms += 1000) {
    now_ms = std::max(now_ms, due_ms);
    serve(request);
  }
}
