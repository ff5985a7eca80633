// The INDEX blocks of sessions: where they stand, what they are read as, and what they cost.
#include <evt/evt_copy.h>
#include <gtest/gtest.h>

#include "format-spec/src/block/block_header.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

struct Placed {
  std::uint16_t type;
  std::uint64_t at;
  std::uint64_t size;
};

std::vector<Placed> blocks_of(const std::string& bytes) {
  std::vector<Placed> blocks;
  for (std::size_t at = 0; at < bytes.size();) {
    BlockHeader header;
    const auto* const p = reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
    if (load_block_header(p, bytes.size() - at, &header) != HeaderState::kGood) throw std::runtime_error("no block");
    const std::size_t size = header.header_size + header.payload_size + padding_after(header.payload_size);
    blocks.push_back({header.type, at, size});
    at += size;
  }
  return blocks;
}

std::vector<Placed> indexes_of(const std::string& bytes) {
  std::vector<Placed> blocks = blocks_of(bytes);
  std::erase_if(blocks, [](const Placed& block) { return block.type != EVT_BLOCK_INDEX; });
  return blocks;
}

// Ticks of some streams in turn, in blocks of 4 KiB.
std::string recorded_ticks(std::uint32_t count, int streams = 1) {
  Recording recording({.buffer_size = 4096});
  const auto types = recording->declare<Tick>();
  std::vector<Stream> all;
  for (int i = 0; i < streams; ++i) all.push_back(recording->stream("s"));
  for (std::uint32_t n = 0; n < count; ++n) all[n % all.size()].emit(types, Tick{n});
  return recording.bytes();
}

std::uint64_t counted(const Session& session, const char* name) {
  for (const TypeCount& type : session.counts) {
    if (type.number == session.type(name)->number()) return type.rows;
  }
  return 0;
}

TEST(IndexBlocks, AreSparedSmallSessions) {
  EXPECT_TRUE(indexes_of(recorded_ticks(1000)).empty());
  EXPECT_EQ(indexes_of(recorded_ticks(8000)).size(), 1u);
}

TEST(IndexBlocks, EndWithTheOneBeforeTrailer) {
  const std::string bytes = recorded_ticks(8000);
  const std::vector<Placed> blocks = blocks_of(bytes);
  EXPECT_EQ(blocks[blocks.size() - 2].type, EVT_BLOCK_INDEX);
  EXPECT_EQ(blocks.back().type, EVT_BLOCK_TRAILER);
  EXPECT_EQ(evt_load_u64(bytes.data() + blocks.back().at + EVT_BLOCK_HEADER_SIZE + 16), blocks[blocks.size() - 2].size);
}

TEST(IndexBlocks, StandBehindSoManyBlocksOfEvents) {
  const std::string bytes = recorded_ticks(400'000);
  int events = 0;
  std::vector<int> before;
  for (const Placed& block : blocks_of(bytes)) {
    if (block.type == EVT_BLOCK_EVENTS) ++events;
    if (block.type == EVT_BLOCK_INDEX) before.push_back(events);
  }
  EXPECT_EQ(before, (std::vector<int>{512, 1024, events}));
}

TEST(IndexBlocks, AreWhatATraceIsReadBy) {
  const std::string bytes = recorded_ticks(400'000, 3);
  const Trace trace = open_trace(bytes);
  const Session& session = trace.sessions()[0];
  EXPECT_TRUE(session.indexed);
  EXPECT_EQ(session.rows, 400'000u);
  EXPECT_EQ(counted(session, "tick"), 400'000u);
  EXPECT_EQ(session.streams[2].rows, 133'333u);
  EXPECT_EQ(text_of_trace(bytes), [&] {
    Trace without = open_trace(bytes, {.use_index = false});
    const std::string text = text_of(without);
    return text.substr(text.find('\n', text.find('\n') + 1) + 1);
  }());
}

TEST(IndexBlocks, SayWhatTheBlocksSay) {
  for (const int streams : {1, 100}) {
    const std::string bytes = recorded_ticks(100'000, streams);
    const Trace checked = open_trace(bytes, {.check_index = true});
    EXPECT_TRUE(checked.status().ok()) << checked.status().message();
    EXPECT_EQ(counted(checked.sessions()[0], "tick"), 100'000u);
  }
}

TEST(IndexBlocks, CountTypesOfAllKindsOfRows) {
  Recording recording({.buffer_size = 4096});
  const auto types = recording->declare<Tick, Note, Paper>();
  Stream stream = recording->stream("a");
  for (std::uint32_t n = 0; n < 6000; ++n) {
    stream.emit(types, Tick{n});
    if (n % 2 == 0) stream.emit(types, Note{"text"});
    if (n % 100 == 0) stream.emit(types, Paper{{std::string(100'000, 'x')}});
  }
  evt_stream_lost(stream.get(), EVT_LOST_OVERWRITTEN, 7, recording.clock.ticks, recording.clock.ticks);
  const std::string bytes = recording.bytes();
  const Trace trace = open_trace(bytes, {.check_index = true});
  EXPECT_TRUE(trace.status().ok()) << trace.status().message();
  const Session& session = trace.sessions()[0];
  EXPECT_EQ(counted(session, "tick"), 6000u);
  EXPECT_EQ(counted(session, "note"), 3000u);
  EXPECT_EQ(counted(session, "paper"), 60u);
  EXPECT_EQ(open_trace(bytes).sessions()[0].streams[0].lost_by_cause[EVT_LOST_OVERWRITTEN], 7u);
}

TEST(IndexBlocks, TakeLittleOfTheFile) {
  for (const int streams : {1, 20, 200}) {
    const std::string bytes = recorded_ticks(400'000, streams);
    std::uint64_t size = 0;
    for (const Placed& index : indexes_of(bytes)) size += index.size;
    EXPECT_LT(size, bytes.size() / 50) << streams << " streams: " << size << " of " << bytes.size();
  }
}

TEST(IndexBlocks, ComeSoonerWhereWordsAreMany) {
  // Each text a block of its own, without events.
  Recording recording;
  const auto types = recording->declare<Tick>();
  Stream stream = recording->stream("a");
  for (int i = 0; i < 20'000; ++i) {
    recording->intern(std::to_string(i));
    stream.emit(types, Tick{1});
    stream.flush();
  }
  const std::string bytes = recording.bytes();
  EXPECT_GT(indexes_of(bytes).size(), 20'000u / 512);
  EXPECT_TRUE(open_trace(bytes, {.check_index = true}).status().ok());
  EXPECT_TRUE(open_trace(bytes).sessions()[0].indexed);
}

TEST(IndexBlocks, AreThereWithARingToo) {
  StepClock clock;
  Sink blocks;
  evt_options options = ordinary_options(clock);
  options.flush_inline = 0;
  options.full_wait_ms = EVT_WAIT_FOR_EVER;
  auto writer = Writer::open(&Sink::take, &blocks, options);
  const auto types = writer->declare<Tick>();
  Stream stream = writer->stream("a");
  for (std::uint32_t n = 0; n < 100'000; ++n) stream.emit(types, Tick{n});
  EXPECT_TRUE(writer->close().ok());
  const std::string bytes = blocks.bytes();
  EXPECT_TRUE(open_trace(bytes, {.check_index = true}).status().ok());
  EXPECT_EQ(counted(open_trace(bytes).sessions()[0], "tick"), 100'000u);
}

TEST(IndexBlocks, AreNotInASessionThatIsLeftCut) {
  StepClock clock;
  Sink blocks;
  const evt_options options = ordinary_options(clock);
  evt_error error;
  evt_writer* const writer = evt_open_sink(&Sink::take, &blocks, &options, &error);
  for (std::uint32_t i = 0; i < 100'000; ++i) evt_intern(writer, std::to_string(i).c_str(), 5);
  evt_close_truncated(writer, &error);
  EXPECT_TRUE(indexes_of(blocks.bytes()).empty());
}

}  // namespace
}  // namespace evt::testing
