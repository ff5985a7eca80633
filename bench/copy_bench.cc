// The floor of text: lines that are there already, copied into a buffer that is written when it is full.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string_view>
#include <vector>

namespace {

void CopyLines(benchmark::State& state) {
  constexpr std::string_view kLine = "0.123456789 s0 sched.stop thread=123456 status=1\n";
  constexpr std::size_t kBuffer = 64 << 10;
  constexpr std::int64_t kEvents = 1'000'000;
  std::vector<char> buffer(kBuffer + kLine.size());
  const int out = open("/dev/null", O_WRONLY);
  for (auto _ : state) {
    std::size_t size = 0;
    for (std::int64_t i = 0; i < kEvents; ++i) {
      std::memcpy(buffer.data() + size, kLine.data(), kLine.size());
      size += kLine.size();
      if (size < kBuffer) continue;
      benchmark::DoNotOptimize(write(out, buffer.data(), size));
      size = 0;
    }
  }
  close(out);
  state.counters["events"] = static_cast<double>(kEvents);
}
BENCHMARK(CopyLines)->Unit(benchmark::kMillisecond);

}  // namespace
