// Packed blocks of more streams than memory has room for: their rows wait in a temporary file, so that each block is
// unpacked once and not for each part of it that is read. Work is counted in bytes of rows that were unpacked.
#include <stdlib.h>

#include "columns_of.h"
#include "raw_trace.h"

namespace evt::testing {
namespace {

constexpr std::uint32_t kStreams = 100;
constexpr std::uint32_t kRows = 1000;  // of each
constexpr std::size_t kBlock = std::size_t{kRows} * 16;

class Spooled : public ::testing::Test {
 protected:
  Spooled() {
    options.memory_budget = 64 << 10;
    trace = ordinary_trace();
    for (std::uint32_t stream = 1; stream <= kStreams; ++stream) {
      const Rows rows = rows_of(stream);
      const std::string columns = columns_of(rows);
      trace.events(stream, rows).store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size());
    }
    bytes = trace.trailer().bytes();
  }

  // Each stream in its turn.
  static Rows rows_of(std::uint32_t stream) {
    Rows rows;
    for (std::uint32_t i = 0; i < kRows; ++i) rows.tick(i * kStreams + stream, i);
    return rows;
  }

  struct Reading {
    std::string events;
    std::uint64_t unpacked = 0;  // bytes
  };
  Reading read() const {
    Trace opened = open_trace(bytes, options);
    const std::string events = event_lines(text_of(opened));
    return {events, opened.bytes_unpacked()};
  }

  RawTrace trace;
  std::string bytes;
  ReadOptions options;
};

TEST_F(Spooled, BlocksAreUnpackedOnce) { EXPECT_LE(read().unpacked, 2 * kStreams * kBlock); }

TEST_F(Spooled, BlocksHaveTheSameEventsAsInMemory) { EXPECT_EQ(read().events, events_of(bytes)); }

// There are enough streams for those of which nothing is wanted for a while to release all their memory.
TEST_F(Spooled, BlocksThatFitAreNotUnpackedForEachWindow) {
  constexpr std::uint32_t kBlocksOfOne = 4;
  constexpr std::uint32_t kFew = 200;  // rows
  options.memory_budget = 16 << 10;
  trace = ordinary_trace();
  for (std::uint32_t block = 0; block < kBlocksOfOne * kStreams; ++block) {
    const std::uint32_t stream = block % kStreams + 1;
    Rows rows;
    for (std::uint32_t i = 0; i < kFew; ++i) rows.tick((block / kStreams * kFew + i) * kStreams + stream, i);
    const std::string columns = columns_of(rows);
    trace.events(stream, rows).store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size());
  }
  bytes = trace.trailer().bytes();
  const Reading reading = read();
  EXPECT_EQ(reading.events, events_of(bytes));
  EXPECT_LE(reading.unpacked, 4 * kBlocksOfOne * kStreams * kFew * 16u);
}

TEST_F(Spooled, InAFileThatIsTooSmallBlocksAreUnpackedForEachOfItsParts) {
  options.spool_budget = kStreams * kBlock / 2;
  const Reading reading = read();
  EXPECT_EQ(reading.events, events_of(bytes));
  EXPECT_LE(reading.unpacked, 5 * kStreams * kBlock);
}

TEST_F(Spooled, NowhereBlocksAreReadAllTheSame) {
  options.spool_budget = 0;
  EXPECT_EQ(read().events, events_of(bytes));
}

TEST_F(Spooled, WhereNoFileCanBeMadeBlocksAreReadAllTheSame) {
  const char* const folder = getenv("TMPDIR");
  const std::string before = folder != nullptr ? folder : "";
  setenv("TMPDIR", "/dev/null", 1);
  EXPECT_EQ(read().events, events_of(bytes));
  folder != nullptr ? setenv("TMPDIR", before.c_str(), 1) : unsetenv("TMPDIR");
}

// No memory for more than one of the multiplexed blocks, whose rows are wanted by turns.
TEST_F(Spooled, LargeMultiplexedBlocksAreNotUnpackedForEachSlice) {
  constexpr std::uint32_t kPieces = 3;
  constexpr std::uint32_t kMany = 30'000;
  RawTrace multiplexed = ordinary_trace();
  for (std::uint32_t block = 0; block < 2; ++block) {
    for (std::uint32_t piece = 0; piece < kPieces; ++piece) {
      Rows rows;
      for (std::uint32_t i = 0; i < kMany; ++i) rows.tick(i, i);
      multiplexed.events(1 + block + 2 * piece, rows);
    }
    multiplexed.gather(kPieces);
  }
  bytes = multiplexed.trailer().bytes();
  const Reading reading = read();
  EXPECT_EQ(reading.events, events_of(bytes));
  EXPECT_LE(reading.unpacked, 3 * 2 * kPieces * kPieces * kMany * 16u) << "a few times for each piece";
}

}  // namespace
}  // namespace evt::testing
