// Writes a trace of a scheduler (schedule_events.h).
//
//   evt_schedule [--calls|--complete] EVENTS FILE    with two calls, one in the other, in each slice, and a stream for
//                                                     each cpu; complete: one event for each call
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "schedule_events.h"

namespace {

using evt::bench::Calls;

[[noreturn]] void fail(const std::string& sentence) {
  std::fprintf(stderr, "evt_schedule: %s\n", sentence.c_str());
  std::exit(1);
}

void record(std::uint64_t events, const std::string& path, Calls calls) {
  evt_options options = {};
  options.clock = &evt::bench::kScheduleClock;
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = evt::Writer::open(path, options);
  if (!writer) fail(writer.status().message());
  evt::bench::emit_schedule(*writer, events, calls);
  const evt::Status status = writer->close();
  if (!status.ok()) fail(status.message());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  const Calls calls = option == "--calls" ? Calls::kPairs : option == "--complete" ? Calls::kComplete : Calls::kNone;
  const int at = calls == Calls::kNone ? 1 : 2;
  if (argc != at + 2) fail("expected [--calls|--complete] EVENTS FILE");
  const unsigned long long events = std::strtoull(argv[at], nullptr, 10);
  if (events == 0) fail("expected a number of events");
  record(events, argv[at + 1], calls);
}
