// Many streams that say little: each an event a second, of a day or some of it, as the flusher would write them once a
// minute.
//
//   evt_slow_streams [--compact] STREAMS MINUTES FILE
#include <evt/compact.h>
#include <evt/writer.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

struct Beat {
  std::uint64_t load = 0;
};
template <>
inline constexpr auto evt::schema<Beat> = evt::event("slow.beat", "what a stream records once a second",
                                                     evt::field("load", &Beat::load));

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::size_t kRow = 16;

[[noreturn]] void fail(const std::string& sentence) {
  std::fprintf(stderr, "evt_slow_streams: %s\n", sentence.c_str());
  std::exit(1);
}

// Time passes when the program sets it.
struct Simulated {
  std::uint64_t ticks = 0;
  static std::uint64_t now(void* self) { return static_cast<Simulated*>(self)->ticks; }
};

// Noise that is the same each time.
std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

void record(std::uint32_t streams, std::uint32_t minutes, const std::string& path, bool compact) {
  Simulated time;
  const evt_clock clock = {&Simulated::now, &time, kSecond, 0, 1, 0, nullptr};
  evt_options options = {};
  options.clock = &clock;
  options.compact = compact ? evt_columns() : nullptr;
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = evt::Writer::open(path, options);
  if (!writer) fail(writer.status().message());
  const auto types = writer->declare<Beat>();
  std::vector<evt::Stream> all;
  for (std::uint32_t i = 0; i < streams; ++i) all.push_back(writer->stream("worker " + std::to_string(i)));
  for (std::uint32_t second = 0; second < 60 * minutes; ++second) {
    for (std::uint32_t i = 0; i < streams; ++i) {
      const std::uint64_t noise = scramble(std::uint64_t{second} << 32 | i);
      time.ticks = second * kSecond + i * (kSecond / streams) + noise % (kSecond / streams);
      all[i].emit(types, Beat{noise % 1000});
    }
    if (second % 60 == 59) writer->flush();
  }
  const evt::Status status = writer->close();
  if (!status.ok()) fail(status.message());
  std::printf("%llu events, %llu bytes of rows\n", std::uint64_t{60} * minutes * streams + 0ULL,
              std::uint64_t{60} * minutes * streams * kRow + 0ULL);
}

}  // namespace

int main(int argc, char** argv) {
  const bool compact = argc > 1 && std::string_view(argv[1]) == "--compact";
  const int at = compact ? 2 : 1;
  if (argc != at + 3) fail("expected [--compact] STREAMS MINUTES FILE");
  const unsigned long streams = std::strtoul(argv[at], nullptr, 10);
  const unsigned long minutes = std::strtoul(argv[at + 1], nullptr, 10);
  if (streams == 0 || streams > 1'000'000 || minutes == 0 || minutes > 10'000) fail("expected two small numbers");
  record(static_cast<std::uint32_t>(streams), static_cast<std::uint32_t>(minutes), argv[at + 2], compact);
}
