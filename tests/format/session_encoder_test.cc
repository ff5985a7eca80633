// The blocks of a session (FORMAT.md, sections 5 and 6), as they reach a sink.
#include "format-spec/src/session/session_encoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format-spec/src/block/crc32c.h"

namespace evt::testing {
namespace {

// A block that a sink was given.
struct Block {
  BlockHeader header;
  EventsHeader events;
  std::string payload;
  std::size_t size = 0;
};

// Takes blocks; refuses as many as a test wishes.
class Sink {
 public:
  static bool put(void* self, const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count) {
    return static_cast<Sink*>(self)->take(front, parts, count);
  }
  void refuse(int blocks) { refuse_ = blocks; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const Block& last() const { return blocks_.back(); }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Block& block : blocks_) sum += block.size;
    return sum;
  }
  std::vector<std::uint16_t> types() const {
    std::vector<std::uint16_t> types;
    for (const Block& block : blocks_) types.push_back(block.header.type);
    return types;
  }

 private:
  bool take(const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count) {
    if (refuse_ > 0) return --refuse_, false;
    Block block;
    EXPECT_EQ(load_block_header(front.bytes, front.size, &block.header), HeaderState::kGood);
    if (block.header.type == EVT_BLOCK_EVENTS) block.events = load_events_header(front.bytes);
    for (std::size_t i = 0; i < count; ++i) {
      block.payload.append(reinterpret_cast<const char*>(parts[i].data), parts[i].size);
    }
    EXPECT_EQ(block.payload.size(), block.header.payload_size);
    block.size = front.size + block.payload.size() + padding_after(block.payload.size());
    blocks_.push_back(block);
    return true;
  }

  int refuse_ = 0;
  std::vector<Block> blocks_;
};

class ASession : public ::testing::Test {
 protected:
  ASession() { encoder.begin(77, true); }

  bool write(std::uint16_t type, const std::string& payload) {
    return encoder.write(type, payload.data(), payload.size());
  }
  // A block of one row of stream 1.
  bool write_row(std::uint64_t ticks) {
    static constexpr std::uint8_t kRow[] = {0, 0, 0, 0, 0, 4, 8, 0};
    EventsHeader events;
    events.stream_id = 1;
    events.base_ticks = events.first_ticks = events.last_ticks = ticks;
    events.row_count = 1;
    events.rows_size = sizeof kRow;
    StoredRows stored;
    stored.size = stored.raw_size = sizeof kRow;
    stored.crc = events.rows_crc = crc32c(0, kRow, sizeof kRow);
    const Piece piece = piece_of(events);
    if (TypeCounts* const counts = encoder.begin_counts()) counts->count(1024);
    return encoder.write_events(events, stored, {}, {kRow, sizeof kRow}, &piece, 1);
  }

  Sink sink;
  SessionEncoder encoder{Sink::put, &sink};
};

TEST_F(ASession, NumbersItsBlocks) {
  EXPECT_TRUE(write(EVT_BLOCK_SESSION, "session") && write(EVT_BLOCK_CLOCK, "clock") && write_row(5));
  ASSERT_EQ(sink.types(), (std::vector<std::uint16_t>{EVT_BLOCK_SESSION, EVT_BLOCK_CLOCK, EVT_BLOCK_EVENTS}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sink.blocks()[i].header.session_id, 77U);
    EXPECT_EQ(sink.blocks()[i].header.block_no, i);
    EXPECT_EQ(sink.blocks()[i].header.payload_crc,
              crc32c(0, sink.blocks()[i].payload.data(), sink.blocks()[i].payload.size()));
  }
  EXPECT_EQ(sink.last().events.first_ticks, 5U);
  EXPECT_EQ(encoder.bytes(), sink.bytes());
}

TEST_F(ASession, GivesTheNumberOfARefusedBlockToTheNext) {
  write(EVT_BLOCK_SESSION, "session");
  sink.refuse(1);
  EXPECT_FALSE(write(EVT_BLOCK_CLOCK, "clock"));
  EXPECT_EQ(encoder.bytes(), sink.bytes());
  EXPECT_TRUE(write(EVT_BLOCK_CLOCK, "clock"));
  EXPECT_EQ(sink.last().header.block_no, 1U);
}

TEST_F(ASession, HasAnIndexBetweenManyBlocksOfEvents) {
  for (std::uint64_t i = 0; i <= EVT_INDEX_EVERY_BLOCKS; ++i) EXPECT_TRUE(write_row(i));
  ASSERT_EQ(sink.blocks().size(), EVT_INDEX_EVERY_BLOCKS + 2U);
  EXPECT_EQ(sink.blocks()[EVT_INDEX_EVERY_BLOCKS].header.type, EVT_BLOCK_INDEX);
  EXPECT_EQ(sink.last().header.type, EVT_BLOCK_EVENTS);
}

TEST_F(ASession, KeepsADueIndexThatWasRefused) {
  for (std::uint64_t i = 0; i < EVT_INDEX_EVERY_BLOCKS; ++i) write_row(i);
  sink.refuse(1);
  EXPECT_FALSE(write_row(1000));
  EXPECT_EQ(sink.last().header.type, EVT_BLOCK_EVENTS);
  EXPECT_TRUE(write_row(1000));
  EXPECT_EQ(sink.blocks()[EVT_INDEX_EVERY_BLOCKS].header.type, EVT_BLOCK_INDEX);
}

TEST_F(ASession, EndsWithItsSizeAndWhatItHas) {
  write(EVT_BLOCK_SESSION, std::string(EVT_INDEX_AT_END, 's'));
  write_row(5);
  IndexedStream stream;
  stream.id = 1;
  stream.rows = 1;
  EXPECT_TRUE(encoder.end(&stream, 1, 1, 9));
  ASSERT_EQ(sink.types(),
            (std::vector<std::uint16_t>{EVT_BLOCK_SESSION, EVT_BLOCK_EVENTS, EVT_BLOCK_INDEX, EVT_BLOCK_TRAILER}));
  const std::string& trailer = sink.last().payload;
  EXPECT_EQ(evt_load_u64(&trailer[8]), sink.bytes());            // the session, this block included
  EXPECT_EQ(evt_load_u64(&trailer[16]), sink.blocks()[2].size);  // how far before it the index begins
  EXPECT_EQ(evt_load_u64(&trailer[24]), 1U);
  EXPECT_EQ(evt_load_u64(&trailer[32]), 9U);
}

TEST_F(ASession, ThatIsTinyHasNoIndex) {
  write(EVT_BLOCK_SESSION, "session");
  write_row(5);
  EXPECT_TRUE(encoder.end(nullptr, 0, 1, 0));
  EXPECT_EQ(sink.types(), (std::vector<std::uint16_t>{EVT_BLOCK_SESSION, EVT_BLOCK_EVENTS, EVT_BLOCK_TRAILER}));
  EXPECT_EQ(evt_load_u64(&sink.last().payload[16]), 0U);
}

TEST_F(ASession, WithoutMemoryForTheTableOfStreamsHasNoLastIndex) {
  write(EVT_BLOCK_SESSION, std::string(EVT_INDEX_AT_END, 's'));
  write_row(5);
  EXPECT_TRUE(encoder.end(nullptr, 3, 1, 0));
  EXPECT_EQ(sink.types(), (std::vector<std::uint16_t>{EVT_BLOCK_SESSION, EVT_BLOCK_EVENTS, EVT_BLOCK_TRAILER}));
}

TEST_F(ASession, AsksForItsMetadataAgainBySize) {
  EXPECT_FALSE(encoder.last_repeat_is_due());
  write(EVT_BLOCK_SESSION, std::string(EVT_REPEAT_METADATA_AT_END, 's'));
  EXPECT_TRUE(encoder.last_repeat_is_due());
  EXPECT_FALSE(encoder.repeat_is_due());
  encoder.repeated(encoder.bytes());
  EXPECT_FALSE(encoder.last_repeat_is_due());
  write(EVT_BLOCK_SYNC, std::string(EVT_REPEAT_METADATA_EVERY, 's'));
  EXPECT_TRUE(encoder.repeat_is_due());
}

TEST_F(ASession, RepeatsLargeMetadataInProportion) {
  constexpr std::size_t kMiB = 1 << 20;
  write(EVT_BLOCK_STRINGS, std::string(9 * kMiB, 's'));
  write(EVT_BLOCK_SYNC, std::string(62 * kMiB, 'e'));
  EXPECT_FALSE(encoder.repeat_is_due());
  EXPECT_FALSE(encoder.last_repeat_is_due());
  write(EVT_BLOCK_SYNC, std::string(kMiB + kMiB / 2, 'e'));
  EXPECT_TRUE(encoder.repeat_is_due());
  EXPECT_TRUE(encoder.last_repeat_is_due());
  const std::uint64_t from = encoder.bytes();
  write(EVT_BLOCK_STRINGS, std::string(9 * kMiB, 's'));
  encoder.repeated(from);
  write(EVT_BLOCK_SYNC, std::string(71 * kMiB, 'e'));
  EXPECT_FALSE(encoder.repeat_is_due());
  write(EVT_BLOCK_SYNC, std::string(kMiB + kMiB / 2, 'e'));
  EXPECT_TRUE(encoder.repeat_is_due());
}

TEST(BlockFramer, GivesBlocksOfARingNoNumber) {
  BlockFramer framer = BlockFramer::of_ring(5);
  for (int i = 0; i < 2; ++i, framer.count()) {
    const BlockFront front = framer.front(EVT_BLOCK_TYPES, "types", 5);
    BlockHeader header;
    ASSERT_EQ(load_block_header(front.bytes, front.size, &header), HeaderState::kGood);
    EXPECT_EQ(header.block_no, EVT_BLOCK_NO_RECOVERED);
    EXPECT_EQ(header.flags, EVT_FLAG_RECOVERED);
    EXPECT_EQ(header.session_id, 5U);
  }
}

TEST(BlockFramer, KeepsWhatALaterVersionPutBehindAHeader) {
  std::string bytes(EVT_BLOCK_HEADER_SIZE, '?');
  bytes += "of later";
  BlockHeader header;
  header.header_size = static_cast<std::uint16_t>(bytes.size());
  header.block_no = 9;
  BlockFramer::replace(header, nullptr, reinterpret_cast<std::uint8_t*>(bytes.data()));
  BlockHeader found;
  ASSERT_EQ(load_block_header(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &found),
            HeaderState::kGood);
  EXPECT_EQ(found.block_no, 9U);
  EXPECT_EQ(bytes.substr(EVT_BLOCK_HEADER_SIZE), "of later");
}

TEST(SessionEncoder, CopiesABlockThatReadersSkipAsItIsStored) {
  Sink sink;
  SessionEncoder encoder(Sink::put, &sink);
  encoder.begin(7, false);
  BlockHeader original;
  original.type = EVT_BLOCK_ATTACHMENT;
  original.flags = EVT_FLAG_COPYABLE | EVT_FLAG_RECOVERED;
  original.codec = EVT_CODEC_ZSTD;
  original.payload_size = 3;
  original.raw_size = 100;
  original.session_id = 99;
  original.block_no = 42;
  original.payload_crc = crc32c(0, "abc", 3);
  ASSERT_TRUE(encoder.write_copy(original, "abc"));
  const BlockHeader& copy = sink.last().header;
  EXPECT_EQ(copy.type, EVT_BLOCK_ATTACHMENT);
  EXPECT_EQ(copy.flags, EVT_FLAG_COPYABLE);
  EXPECT_EQ(copy.codec, EVT_CODEC_ZSTD);
  EXPECT_EQ(copy.raw_size, 100u);
  EXPECT_EQ(copy.payload_crc, original.payload_crc);
  EXPECT_EQ(copy.session_id, 7u);
  EXPECT_EQ(copy.block_no, 0u);
  EXPECT_EQ(sink.last().payload, "abc");
  EXPECT_EQ(encoder.bytes(), 56u);
}

}  // namespace
}  // namespace evt::testing
