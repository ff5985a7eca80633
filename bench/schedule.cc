// Writes a trace of a scheduler (schedule_events.h).
//
//   evt_schedule [--calls] EVENTS FILE      with two calls, one in the other, in each slice, and a stream for
//                                            each cpu
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "schedule_events.h"

namespace {

[[noreturn]] void fail(const std::string& sentence) {
  std::fprintf(stderr, "evt_schedule: %s\n", sentence.c_str());
  std::exit(1);
}

void record(std::uint64_t events, const std::string& path, bool with_calls) {
  evt_options options = {};
  options.clock = &evt::bench::kScheduleClock;
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = evt::Writer::open(path, options);
  if (!writer) fail(writer.status().message());
  evt::bench::emit_schedule(*writer, events, with_calls);
  const evt::Status status = writer->close();
  if (!status.ok()) fail(status.message());
}

}  // namespace

int main(int argc, char** argv) {
  const bool with_calls = argc > 1 && std::string_view(argv[1]) == "--calls";
  const int at = with_calls ? 2 : 1;
  if (argc != at + 2) fail("expected [--calls] EVENTS FILE");
  const unsigned long long events = std::strtoull(argv[at], nullptr, 10);
  if (events == 0) fail("expected a number of events");
  record(events, argv[at + 1], with_calls);
}
