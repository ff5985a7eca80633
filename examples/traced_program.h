// What the programs on the work-stealing scheduler have in common: a command line, and one run that is traced or not.
#pragma once

#include <errno.h>
#include <evt/writer.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "work_stealing.h"

namespace work_stealing {

inline constexpr unsigned kMaxWorkers = 256;

// A number that may be given on the command line, as in -n 30.
struct NumberOption {
  char letter;
  const char* name;  // in the usage
  unsigned least;
  unsigned most;
  unsigned* number;  // its default, until it is given
};

// One program of that kind: its own options and those of all: -w WORKERS, -o FILE, where `-o none` is tracing off, and
// -t FILE, in which each worker keeps the tally of its events (an EventTally each), for a test that kills the program
// to hold against the trace. Parse, then run once.
class TracedProgram {
 public:
  // `path`: where the trace goes without -o, or none.
  TracedProgram(const char* name, std::string path, std::vector<NumberOption> options)
      : name_(name), path_(std::move(path)), options_(std::move(options)) {
    options_.push_back({'w', "WORKERS", 1, kMaxWorkers, &workers_});
  }
  TracedProgram(const TracedProgram&) = delete;
  TracedProgram& operator=(const TracedProgram&) = delete;

  // False, and a sentence on stderr, when the command line makes no sense.
  bool parse(int argc, char** argv);

  // Runs `root` on the first worker and its sparks on all, and prints how long that took, how many events were
  // recorded, and how long the trace took to open and close, which is no part of the first. False, and a sentence on
  // stderr, when the trace or the tally could not be opened (then nothing ran) or written.
  bool run(const std::function<void(Worker&)>& root);

 private:
  struct Recorded {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
  };

  bool parse_number(const NumberOption& option, std::string_view text) const;
  void print_usage(FILE* out) const;
  std::vector<evt::Stream> open_streams(std::optional<evt::Writer>& writer) const;
  static Recorded count(evt_writer* session);
  EventTally* map_tallies() const;
  bool fail(const std::string& why) const;

  const char* const name_;
  std::string path_;
  std::string tally_path_;
  unsigned workers_ = std::clamp(std::thread::hardware_concurrency(), 2u, kMaxWorkers);
  std::vector<NumberOption> options_;
};

inline bool TracedProgram::parse(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    print_usage(stdout);
    std::exit(0);
  }
  std::string letters = "o:t:";
  for (const NumberOption& option : options_) letters.append({option.letter, ':'});
  bool ok = true;
  opterr = 0;  // the sentence is ours
  for (int letter; ok && (letter = getopt(argc, argv, letters.c_str())) != -1;) {
    const auto option =
        std::find_if(options_.begin(), options_.end(), [&](const NumberOption& o) { return o.letter == letter; });
    if (option != options_.end()) {
      ok = parse_number(*option, optarg);
    } else if (letter == 'o') {
      path_ = optarg;
    } else if (letter == 't') {
      tally_path_ = optarg;
    } else {
      ok = false;
    }
  }
  if (ok && optind == argc) return true;
  print_usage(stderr);
  return false;
}

inline bool TracedProgram::parse_number(const NumberOption& option, std::string_view text) const {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *option.number);
  if (error == std::errc() && end == text.data() + text.size() && *option.number >= option.least &&
      *option.number <= option.most) {
    return true;
  }
  std::fprintf(stderr, "%s: -%c takes a number from %u to %u, not '%s'\n", name_, option.letter, option.least,
               option.most, text.data());
  return false;
}

inline void TracedProgram::print_usage(FILE* out) const {
  std::fprintf(out, "%s: usage: %s", name_, name_);
  for (const NumberOption& option : options_) std::fprintf(out, " [-%c %s]", option.letter, option.name);
  std::fprintf(out, " [-o FILE|none] [-t TALLY]\n");
}

inline bool TracedProgram::run(const std::function<void(Worker&)>& root) {
  using Clock = std::chrono::steady_clock;
  EventTally* tallies = nullptr;
  if (!tally_path_.empty() && (tallies = map_tallies()) == nullptr) {
    return fail("cannot keep a tally in " + tally_path_ + ": " + strerror(errno));
  }
  const auto opening = Clock::now();
  std::optional<evt::Writer> writer;
  EventTypes types;  // as yet off, like the streams without a writer
  if (path_ != "none") {
    evt::Result<evt::Writer> opened = evt::Writer::open(path_);
    if (!opened) return fail(opened.status().message());
    writer.emplace(*std::move(opened));
    if (tallies != nullptr) {  // which have no place for the writer's own events
      writer->switch_types("trace.overhead", false);
      writer->switch_types("process.stopped", false);
    }
    types = declare_events(*writer);
  }
  std::vector<evt::Stream> streams = open_streams(writer);

  const auto start = Clock::now();
  Pool(streams, types, tallies).run(root);
  const auto end = Clock::now();

  Recorded recorded;
  if (writer) {
    evt_writer* const session = writer->get();
    const evt::Status closed = writer->close();
    if (!closed.ok()) return fail(closed.message());
    recorded = count(session);
  }
  const std::chrono::duration<double> ran = end - start;
  const std::chrono::duration<double> around = (start - opening) + (Clock::now() - end);
  std::printf("%.6f s, %ju events recorded", ran.count(), static_cast<std::uintmax_t>(recorded.events));
  if (recorded.lost != 0) std::printf(", %ju lost", static_cast<std::uintmax_t>(recorded.lost));
  std::printf(", trace opened and closed in %.6f s\n", around.count());
  return true;
}

// Never unmapped: the program's end does that, whatever ends it.
inline EventTally* TracedProgram::map_tallies() const {
  const int file = open(tally_path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  const std::size_t size = workers_ * sizeof(EventTally);
  void* memory = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(size)) == 0) {
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<EventTally*>(memory);  // zeros are tallies of nothing
}

inline std::vector<evt::Stream> TracedProgram::open_streams(std::optional<evt::Writer>& writer) const {
  std::vector<evt::Stream> streams;
  for (unsigned i = 0; i < workers_; ++i) {
    streams.push_back(writer ? writer->stream("worker " + std::to_string(i))
                             : evt::Stream(evt_stream_open(nullptr, "")));  // off: what is emitted there is no more
  }
  return streams;
}

// Of a session that was closed.
inline TracedProgram::Recorded TracedProgram::count(evt_writer* session) {
  const evt_counts counts = evt_writer_counts(session);
  return {.events = counts.events_written,
          .lost = std::accumulate(std::begin(counts.lost), std::end(counts.lost), std::uint64_t{0})};
}

inline bool TracedProgram::fail(const std::string& why) const {
  std::fprintf(stderr, "%s: %s\n", name_, why.c_str());
  return false;
}

}  // namespace work_stealing
