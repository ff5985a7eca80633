// A program that emits at a steady rate: `sent` is CLOCK_MONOTONIC in nanoseconds, and one event of 1000 is a
// `load.mark`.
//
//   evt_steady_load RATE SECONDS FILE
#include <evt/writer.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct Work {
  std::uint64_t sent = 0;
};
template <>
inline constexpr auto evt::schema<Work> = evt::event("load.work", "", evt::field("sent", &Work::sent));

struct Mark {
  std::uint64_t sent = 0;
};
template <>
inline constexpr auto evt::schema<Mark> = evt::event("load.mark", "", evt::field("sent", &Mark::sent));

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kMarkEvery = 1000;

std::uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * kSecond + static_cast<std::uint64_t>(now.tv_nsec);
}

// Sleeps whenever it is ahead, a millisecond at least.
void emit_steadily(std::uint64_t rate, std::uint64_t seconds, evt::Writer& writer) {
  const auto works = writer.declare<Work>();
  const auto marks = writer.declare<Mark>();
  evt::Stream stream = writer.stream("load");
  const std::uint64_t begin = now_ns();
  for (std::uint64_t i = 0; i < rate * seconds;) {
    const std::uint64_t now = now_ns();
    const std::uint64_t due =
        static_cast<std::uint64_t>(static_cast<double>(now - begin) / kSecond * static_cast<double>(rate));
    for (; i < due && i < rate * seconds; ++i) {
      if (i % kMarkEvery == 0) {
        stream.emit(marks, Mark{now_ns()});
      } else {
        stream.emit(works, Work{now});
      }
    }
    const timespec pause = {0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: evt_steady_load RATE SECONDS FILE\n", stderr);
    return 2;
  }
  auto writer = evt::Writer::open(argv[3]);
  if (!writer) {
    std::fprintf(stderr, "evt_steady_load: %s\n", writer.status().message().c_str());
    return 1;
  }
  emit_steadily(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10), *writer);
  return 0;
}
