// What compacting rows costs, and reading them again; of each kind of event, with its size.
#include <benchmark/benchmark.h>
#include <zstd.h>

#include <string>
#include <vector>

#include "bench_events.h"
#include "format-spec/src/columns/decoder.h"
#include "format-spec/src/columns/frame.h"
#include "rows_of_kinds.h"

namespace {

using evt::ColumnFrame;
using evt::bench::Block;

void count(benchmark::State& state, const std::vector<Block>& blocks, std::size_t bytes) {
  std::size_t events = 0;
  std::size_t rows = 0;
  for (const Block& block : blocks) {
    events += block.count;
    rows += block.rows.size() + EVT_EVENTS_HEADER_SIZE;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(events));
  state.counters["events"] = static_cast<double>(events);
  state.counters["rows bytes/event"] = static_cast<double>(rows) / static_cast<double>(events);
  state.counters["bytes/event"] = static_cast<double>(bytes) / static_cast<double>(events);
}

void Compact(benchmark::State& state, const std::vector<Block>& blocks) {
  ColumnFrame frame;
  evt::bench::teach(frame.encoder());
  std::size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (const Block& block : blocks) {
      if (!frame.make(block.rows.data(), block.rows.size(), block.count)) state.SkipWithError("not compressed");
      bytes += frame.size() + EVT_EVENTS_HEADER_SIZE;
    }
  }
  count(state, blocks, bytes);
}

void Expand(benchmark::State& state, const std::vector<Block>& blocks) {
  ColumnFrame frame;
  evt::bench::teach(frame.encoder());
  std::vector<std::vector<std::uint8_t>> frames;
  std::vector<std::size_t> raw_sizes;
  std::size_t bytes = 0;
  for (const Block& block : blocks) {
    if (!frame.make(block.rows.data(), block.rows.size(), block.count)) state.SkipWithError("not compressed");
    frames.emplace_back(frame.bytes(), frame.bytes() + frame.size());
    raw_sizes.push_back(frame.raw_size());
    bytes += frame.size() + EVT_EVENTS_HEADER_SIZE;
  }
  ZSTD_DCtx* const zstd = ZSTD_createDCtx();
  evt::columns::Decoder decoder;
  std::vector<std::uint8_t> raw(1 << 20);
  std::vector<std::uint8_t> rows(1 << 20);
  for (auto _ : state) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      ZSTD_decompressDCtx(zstd, raw.data(), raw.size(), frames[i].data(), frames[i].size());
      const evt::Status status =
          decoder.decode(raw.data(), raw_sizes[i], blocks[i].count, rows.data(), blocks[i].rows.size());
      if (!status.ok()) state.SkipWithError(status.message().c_str());
    }
  }
  ZSTD_freeDCtx(zstd);
  count(state, blocks, bytes);
}

const std::vector<Block>& start_stop() {
  static const std::vector<Block> blocks = evt::bench::start_stop();
  return blocks;
}
const std::vector<Block>& mixed() {
  static const std::vector<Block> blocks = evt::bench::mixed();
  return blocks;
}

void CompactStartStop(benchmark::State& state) { Compact(state, start_stop()); }
void ExpandStartStop(benchmark::State& state) { Expand(state, start_stop()); }
void CompactMixed(benchmark::State& state) { Compact(state, mixed()); }
void ExpandMixed(benchmark::State& state) { Expand(state, mixed()); }
BENCHMARK(CompactStartStop)->Unit(benchmark::kMillisecond);
BENCHMARK(ExpandStartStop)->Unit(benchmark::kMillisecond);
BENCHMARK(CompactMixed)->Unit(benchmark::kMillisecond);
BENCHMARK(ExpandMixed)->Unit(benchmark::kMillisecond);

}  // namespace
