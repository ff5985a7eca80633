// Writes a trace of a scheduler (schedule_events.h): of 1,000 threads on 16 cpus, two cpus to a stream.
//
//   evt_schedule [--calls|--complete] [--OPTION NUMBER]... EVENTS FILE
//
//   --calls                 two calls, one in the other, in each slice, and a stream for each cpu
//   --complete              the same, one event for each call
//   --threads, --cpus, --streams, --names (of calls) NUMBER
//   --types NUMBER          further types; each slice ends with an event of one of them
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "schedule_events.h"

namespace {

using evt::bench::Calls;
using evt::bench::Schedule;

constexpr const char* kUsage =
    "expected [--calls|--complete] [--threads|--cpus|--streams|--names|--types NUMBER]... EVENTS FILE";

[[noreturn]] void fail(const std::string& sentence) {
  std::fprintf(stderr, "evt_schedule: %s\n", sentence.c_str());
  std::exit(1);
}

std::uint64_t number(const char* text) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text, &end, 10);
  if (value == 0 || *end != '\0') fail(kUsage);
  return value;
}

void record(const Schedule& of, const std::string& path) {
  evt_options options = {};
  options.clock = &evt::bench::kScheduleClock;
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = evt::Writer::open(path, options);
  if (!writer) fail(writer.status().message());
  evt::bench::emit_schedule(*writer, of);
  const evt::Status status = writer->close();
  if (!status.ok()) fail(status.message());
}

}  // namespace

int main(int argc, char** argv) {
  Schedule of;
  const std::map<std::string_view, std::uint32_t*> numbers = {{"--threads", &of.threads},
                                                              {"--cpus", &of.cpus},
                                                              {"--streams", &of.streams},
                                                              {"--names", &of.names},
                                                              {"--types", &of.types}};
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; ++at) {
    const std::string_view option = argv[at];
    if (option == "--calls" || option == "--complete") {
      of.calls = option == "--calls" ? Calls::kPairs : Calls::kComplete;
      continue;
    }
    const auto found = numbers.find(option);
    if (found == numbers.end() || at + 1 == argc) fail(kUsage);
    *found->second = static_cast<std::uint32_t>(number(argv[++at]));
  }
  if (at + 2 != argc) fail(kUsage);
  of.events = number(argv[at]);
  if (of.cpus < 2 || of.threads < of.cpus) fail("expected two cpus or more, and as many threads");
  record(of, argv[at + 1]);
}
