// What the programs on the work-stealing scheduler have in common: a command line, and one run that is traced or not.
#pragma once

#include <evt/writer.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
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

// One program of that kind: its own options and those of all: -w WORKERS and -o FILE, where `-o none` is tracing off.
// Parse, then run once.
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

  // Runs `root` on the first worker and its sparks on all, and prints how long that took and how many events were
  // recorded. False, and a sentence on stderr, when the trace could not be opened (then nothing ran) or written.
  bool run(const std::function<void(Worker&)>& root);

 private:
  struct Recorded {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
  };

  bool parse_number(const NumberOption& option, std::string_view text) const;
  void print_usage() const;
  std::vector<evt::Stream> open_streams(std::optional<evt::Writer>& writer) const;
  static Recorded count(evt::Writer& writer, std::vector<evt::Stream>& streams);
  bool fail(const evt::Status& status) const;

  const char* const name_;
  std::string path_;
  unsigned workers_ = std::clamp(std::thread::hardware_concurrency(), 2u, kMaxWorkers);
  std::vector<NumberOption> options_;
};

inline bool TracedProgram::parse(int argc, char** argv) {
  std::string letters = "o:";
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
    } else {
      ok = false;
    }
  }
  if (ok && optind == argc) return true;
  print_usage();
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

inline void TracedProgram::print_usage() const {
  std::fprintf(stderr, "%s: usage: %s", name_, name_);
  for (const NumberOption& option : options_) std::fprintf(stderr, " [-%c %s]", option.letter, option.name);
  std::fprintf(stderr, " [-o FILE|none]\n");
}

inline bool TracedProgram::run(const std::function<void(Worker&)>& root) {
  // With the opening and closing of the trace: that is part of what tracing costs.
  const auto start = std::chrono::steady_clock::now();
  std::optional<evt::Writer> writer;
  EventTypes types;  // as yet off, like the streams without a writer
  if (path_ != "none") {
    evt::Result<evt::Writer> opened = evt::Writer::open(path_);
    if (!opened) return fail(opened.status());
    writer.emplace(*std::move(opened));
    types = declare_events(*writer);
  }

  std::vector<evt::Stream> streams = open_streams(writer);
  Pool(streams, types).run(root);

  Recorded recorded;
  if (writer) {
    recorded = count(*writer, streams);
    const evt::Status closed = writer->close();
    if (!closed.ok()) return fail(closed);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%.6f s, %ju events recorded", elapsed.count(), static_cast<std::uintmax_t>(recorded.events));
  if (recorded.lost != 0) std::printf(", %ju lost", static_cast<std::uintmax_t>(recorded.lost));
  std::printf("\n");
  return true;
}

inline std::vector<evt::Stream> TracedProgram::open_streams(std::optional<evt::Writer>& writer) const {
  std::vector<evt::Stream> streams;
  for (unsigned i = 0; i < workers_; ++i) {
    streams.push_back(writer ? writer->stream("worker " + std::to_string(i))
                             : evt::Stream(evt_stream_open(nullptr, "")));  // off: what is emitted there is no more
  }
  return streams;
}

// REQUIRES: the workers have ended, so that this thread may flush what is left in their streams' buffers.
inline TracedProgram::Recorded TracedProgram::count(evt::Writer& writer, std::vector<evt::Stream>& streams) {
  for (evt::Stream& stream : streams) stream.flush();
  const evt_counts counts = writer.counts();
  return {.events = counts.events_written,
          .lost = std::accumulate(std::begin(counts.lost), std::end(counts.lost), std::uint64_t{0})};
}

inline bool TracedProgram::fail(const evt::Status& status) const {
  std::fprintf(stderr, "%s: %s\n", name_, status.message().c_str());
  return false;
}

}  // namespace work_stealing
