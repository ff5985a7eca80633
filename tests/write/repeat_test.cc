// What long sessions repeat, so that no single block is a point of failure.
#include <gtest/gtest.h>

#include <map>

#include "format-spec/src/block/block_header.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

// Takes blocks, and keeps of each only what it was.
struct Headers {
  static int take(void* self, const void* bytes, std::size_t size) {
    auto& headers = *static_cast<Headers*>(self);
    BlockHeader header;
    const auto state = load_block_header(static_cast<const std::uint8_t*>(bytes), size, &header);
    headers.whole = headers.whole && state == HeaderState::kGood && size % EVT_ALIGNMENT == 0 &&
                    size == header.header_size + header.payload_size + padding_after(header.payload_size) &&
                    header.block_no == headers.types.size();
    headers.types.push_back(header.type);
    headers.bytes += size;
    if (header.type == EVT_BLOCK_SESSION) headers.session_at.push_back(headers.bytes);
    return 0;
  }
  std::map<int, int> counts() const {
    std::map<int, int> counts;
    for (const std::uint16_t type : types) ++counts[type];
    return counts;
  }

  std::vector<std::uint16_t> types;
  std::vector<std::uint64_t> session_at;
  std::uint64_t bytes = 0;
  bool whole = true;
};

// Records this many MiB of events with the machine's own clock.
void record(Headers& headers, int mebibytes) {
  evt_options options = {};
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = Writer::open(&Headers::take, &headers, options);
  leave_out_events_of_writer(*writer);
  const auto types = writer->declare<Cargo>();
  writer->intern("text");
  Stream stream = writer->stream("a");
  const std::string load(1 << 20, 'x');
  for (int i = 0; i < mebibytes; ++i) stream.emit(types, Cargo{{as_bytes(load)}});
  EXPECT_TRUE(writer->close().ok());
}

TEST(Repeat, HandsOutOneWholeBlockACall) {
  Headers headers;
  record(headers, 3);
  EXPECT_TRUE(headers.whole);
}

TEST(Repeat, SaysAllMetadataAgainEvery64MiBAndAtTheEnd) {
  Headers headers;
  record(headers, 70);
  std::map<int, int> counts = headers.counts();
  EXPECT_EQ(counts[EVT_BLOCK_EVENTS], 70);
  for (const int type : {EVT_BLOCK_SESSION, EVT_BLOCK_CLOCK, EVT_BLOCK_TYPES, EVT_BLOCK_STREAMS, EVT_BLOCK_STRINGS}) {
    EXPECT_EQ(counts[type], 3) << "block type " << type;
  }
  EXPECT_EQ(counts[EVT_BLOCK_TRAILER], 1);
  ASSERT_EQ(headers.session_at.size(), 3u);
  // Whatever the place, it is never farther than that from a repeat; the block that is being written counts.
  EXPECT_LE(headers.session_at[1] - headers.session_at[0],
            (std::uint64_t{EVT_REPEAT_METADATA_EVERY} + (1 << 20) + 4096));
}

TEST(Repeat, PairsTheClocksAgainEvery16MiBAndAtTheEnd) {
  Headers headers;
  record(headers, 40);
  EXPECT_GE(headers.counts()[EVT_BLOCK_SYNC], 3);
  EXPECT_EQ(headers.types[headers.types.size() - 3], EVT_BLOCK_SYNC);
  EXPECT_EQ(headers.types[headers.types.size() - 2], EVT_BLOCK_INDEX);
  EXPECT_EQ(headers.types.back(), EVT_BLOCK_TRAILER);
}

TEST(Repeat, SparesTinySessions) {
  Recording recording;
  recording->stream("a").emit(recording->declare<Tick>(), Tick{1});
  recording.bytes();
  EXPECT_EQ(recording.blocks.calls(), 6u);  // session, clock, types, streams, events, trailer
}

TEST(Repeat, LetsAReaderDoWithoutAnyOneBlockOfMetadata) {
  Recording recording;
  const auto types = recording->declare<Tick, Paper>();
  Stream stream = recording->stream("a");
  stream.emit(types, Tick{1});
  stream.emit(types, Paper{{std::string(600'000, 'x')}});
  const std::string bytes = recording.bytes();
  const std::string whole = text_of_trace(bytes);
  std::size_t at = 0;
  while (at < bytes.size()) {
    BlockHeader header;
    ASSERT_EQ(load_block_header(reinterpret_cast<const std::uint8_t*>(bytes.data()) + at, bytes.size() - at, &header),
              HeaderState::kGood);
    const std::size_t size = header.header_size + header.payload_size + padding_after(header.payload_size);
    if (header.type == EVT_BLOCK_TYPES || header.type == EVT_BLOCK_STREAMS || header.type == EVT_BLOCK_CLOCK) {
      std::string damaged = bytes;
      damaged[at + header.header_size + 8] ^= 1;
      EXPECT_EQ(text_of_trace(damaged), whole) << "without the block at " << at;
    }
    at += size;
  }
}

}  // namespace
}  // namespace evt::testing
