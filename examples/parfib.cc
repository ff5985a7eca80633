// Parallel Fibonacci on a small work-stealing scheduler (work_stealing.h) that records what its workers do:
//
//   parfib [-n N] [-c CUTOFF] [-w WORKERS] [-o FILE]
//
// Computes fib(N), in parallel above CUTOFF, and traces to FILE, one stream per worker. With `-o none` tracing is off:
// the streams record nothing, and the program is otherwise the same.
#include <evt/writer.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "work_stealing.h"

namespace {

using work_stealing::EventTypes;
using work_stealing::Pool;
using work_stealing::Spark;
using work_stealing::Worker;

constexpr unsigned kMaxN = 93;  // the last that fits 64 bits
constexpr unsigned kMaxWorkers = 256;

std::uint64_t sequential_fib(unsigned n) { return n < 2 ? n : sequential_fib(n - 1) + sequential_fib(n - 2); }

std::uint64_t parallel_fib(Worker& worker, unsigned n, unsigned cutoff);

class FibSpark : public Spark {
 public:
  FibSpark(unsigned n, unsigned cutoff) : n_(n), cutoff_(cutoff) {}
  void run(Worker& worker) override { result_ = parallel_fib(worker, n_, cutoff_); }
  std::uint64_t result() const { return result_; }

 private:
  const unsigned n_;
  const unsigned cutoff_;
  std::uint64_t result_ = 0;
};

std::uint64_t parallel_fib(Worker& worker, unsigned n, unsigned cutoff) {
  if (n <= cutoff || n < 2) return sequential_fib(n);
  FibSpark first(n - 1, cutoff);
  worker.fork(first);
  const std::uint64_t second = parallel_fib(worker, n - 2, cutoff);
  worker.join(first);
  return first.result() + second;
}

struct Arguments {
  unsigned n = 30;
  unsigned cutoff = 18;
  unsigned workers = std::clamp(std::thread::hardware_concurrency(), 2u, kMaxWorkers);
  std::string path = "parfib.evt";
};

bool parse_number(char option, std::string_view text, unsigned least, unsigned most, unsigned* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  if (error == std::errc() && end == text.data() + text.size() && *number >= least && *number <= most) return true;
  std::fprintf(stderr, "parfib: -%c takes a number from %u to %u, not '%s'\n", option, least, most, text.data());
  return false;
}

// Nothing, and a sentence on stderr, when they make no sense.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  bool ok = true;
  opterr = 0;  // the sentence is ours
  for (int option; ok && (option = getopt(argc, argv, "n:c:w:o:")) != -1;) {
    switch (option) {
      case 'n':
        ok = parse_number('n', optarg, 0, kMaxN, &arguments.n);
        break;
      case 'c':
        ok = parse_number('c', optarg, 0, kMaxN, &arguments.cutoff);
        break;
      case 'w':
        ok = parse_number('w', optarg, 1, kMaxWorkers, &arguments.workers);
        break;
      case 'o':
        arguments.path = optarg;
        break;
      default:
        ok = false;
    }
  }
  if (ok && optind == argc) return arguments;
  std::fprintf(stderr, "parfib: usage: parfib [-n N] [-c CUTOFF] [-w WORKERS] [-o FILE|none]\n");
  return std::nullopt;
}

int fail(const evt::Status& status) {
  std::fprintf(stderr, "parfib: %s\n", status.message().c_str());
  return 1;
}

std::vector<evt::Stream> open_streams(std::optional<evt::Writer>& writer, unsigned count) {
  std::vector<evt::Stream> streams;
  for (unsigned i = 0; i < count; ++i) {
    streams.push_back(writer ? writer->stream("worker " + std::to_string(i))
                             : evt::Stream(evt_stream_open(nullptr, "")));  // off: what is emitted there is no more
  }
  return streams;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Arguments> arguments = parse(argc, argv);
  if (!arguments) return 2;

  std::optional<evt::Writer> writer;
  EventTypes types;  // as yet off, like the streams without a writer
  if (arguments->path != "none") {
    evt::Result<evt::Writer> opened = evt::Writer::open(arguments->path);
    if (!opened) return fail(opened.status());
    writer.emplace(*std::move(opened));
    types = work_stealing::declare_events(*writer);
  }

  std::uint64_t result = 0;
  Pool pool(open_streams(writer, arguments->workers), types);
  pool.run([&](Worker& worker) { result = parallel_fib(worker, arguments->n, arguments->cutoff); });
  std::printf("fib(%u) = %ju\n", arguments->n, static_cast<std::uintmax_t>(result));

  if (writer) {
    const evt::Status closed = writer->close();
    if (!closed.ok()) return fail(closed);
  }
  return 0;
}
