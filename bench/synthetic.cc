// The synthetic benchmark of the paper on GHC's event log (Jones, Marlow, Singh: Parallel Performance Tuning for
// Haskell, 2009): two million start and stop events from one thread to a file.
//
//   evt_synthetic [--compact] [FOLDER]      where the file is for that time; the folder for temporary files by default
#include <evt/compact.h>
#include <evt/writer.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>

// Of 16 and 18 bytes with type and time, the mean of what there were in the paper; so not those of bench_events.h.
struct ThreadStart {
  std::uint64_t thread = 0;
};
struct ThreadStop {
  std::uint64_t thread = 0;
  std::uint16_t status = 0;
};
template <>
inline constexpr auto evt::schema<ThreadStart> = evt::event("synthetic.start", "a thread runs", evt::Role::kThreadRun,
                                                            evt::field("thread", &ThreadStart::thread));
template <>
inline constexpr auto evt::schema<ThreadStop> = evt::event("synthetic.stop", "a thread stops", evt::Role::kThreadStop,
                                                           evt::field("thread", &ThreadStop::thread),
                                                           evt::field("status", &ThreadStop::status));

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::uint32_t kPairs = 1'000'000;
constexpr std::uint64_t kEvents = 2 * kPairs;

[[noreturn]] void fail(const std::string& sentence) {
  std::fprintf(stderr, "evt_synthetic: %s\n", sentence.c_str());
  std::exit(1);
}

// A folder of our own, which goes with what is in it.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& parent) : path_((parent / "evt_synthetic.XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) fail("cannot make a folder in " + parent.string());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string trace() const { return path_ + "/synthetic.evt"; }

 private:
  std::string path_;
};

using EventTypes = evt::Types<ThreadStart, ThreadStop>;

void emit_pairs(evt::Stream stream, const EventTypes& types) {
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    stream.emit(types, ThreadStart{.thread = i});
    stream.emit(types, ThreadStop{.thread = i, .status = 1});
  }
}

// The same with the clock around each emit; the longest of them.
Seconds longest_emit(evt::Stream stream, const EventTypes& types) {
  Clock::duration longest{};
  auto before = Clock::now();
  const auto measure = [&] {
    const auto after = Clock::now();
    longest = std::max(longest, after - before);
    before = after;
  };
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    stream.emit(types, ThreadStart{.thread = i});
    measure();
    stream.emit(types, ThreadStop{.thread = i, .status = 1});
    measure();
  }
  return longest;
}

// Runs `emit` in a session of its own, and returns how long all took from its opening to its end.
template <typename Emit>
Seconds record(const std::string& path, const evt_options& options, Emit emit) {
  const auto start = Clock::now();
  auto writer = evt::Writer::open(path, options);
  if (!writer) fail(writer.status().message());
  const auto types = writer->declare<ThreadStart, ThreadStop>();
  evt::Stream stream = writer->stream("bench");
  emit(stream, types);
  stream.flush();
  const evt_counts counts = writer->counts();
  const evt::Status closed = writer->close();
  const Seconds elapsed = Clock::now() - start;
  if (!closed.ok()) fail(closed.message());
  // What was not recorded cost less: so no time is printed.
  // The writer's own events are counted, too.
  if (counts.events_written < kEvents) fail(std::to_string(kEvents - counts.events_written) + " events were lost");
  return elapsed;
}

}  // namespace

int main(int argc, char** argv) {
  const bool compact = argc > 1 && std::string_view(argv[1]) == "--compact";
  const int first = compact ? 2 : 1;
  if (argc > first + 1) fail("usage: evt_synthetic [--compact] [FOLDER]");
  evt_options options = {};
  if (compact) options.compact = evt_columns();
  // Static, so that it goes when the program fails, too.
  static const Folder folder(argc > first ? std::filesystem::path(argv[first])
                                          : std::filesystem::temp_directory_path());
  const std::string path = folder.trace();

  const Seconds elapsed = record(path, options, emit_pairs);
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  // In a run of its own, so that the clock that it reads is no part of the times above.
  Seconds longest{};
  record(path, options, [&](evt::Stream stream, const EventTypes& types) { longest = longest_emit(stream, types); });

  const auto events = static_cast<double>(kEvents);
  std::printf("%ju events, one thread, to a file%s\n", static_cast<std::uintmax_t>(kEvents),
              compact ? ", compressed" : "");
  std::printf("%-16s %10s %12s\n", "", "here", "GHC, 2009");
  std::printf("%-16s %8.3f s %10s s\n", "elapsed", elapsed.count(), "0.31");
  std::printf("%-16s %7.1f MB %9s MB\n", "file", bytes / 1e6, "34");
  std::printf("%-16s %7.1f  B %9s  B\n", "bytes per event", bytes / events, "17");
  std::printf("%-16s %7.1f ns %9s ns\n", "time per event", elapsed.count() * 1e9 / events, "150");
  std::printf("%-16s %7.2f ms %9s ms\n", "longest stall", longest.count() * 1e3, "5");
  return 0;
}
