// Few rows of each of many streams go together into one block.
#include <evt/compact.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "format-spec/src/block/block_header.h"
#include "write/ring_session.h"

namespace evt::testing {
namespace {

// The layouts of a trace's EVENTS blocks.
std::vector<int> layouts_of(const std::string& bytes) {
  std::vector<int> layouts;
  BlockHeader header;
  for (std::size_t at = 0; at < bytes.size();
       at += header.header_size + header.payload_size + padding_after(header.payload_size)) {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
    if (load_block_header(p, bytes.size() - at, &header) != HeaderState::kGood) break;
    if (header.type == EVT_BLOCK_EVENTS) layouts.push_back(load_events_header(p).layout);
  }
  return layouts;
}

class MultiplexedRows : public RingTest {
 protected:
  static constexpr std::uint32_t kStreams = 200;

  // One tick of each stream.
  static void emit_round(std::vector<Stream>& streams, const Types<Tick>& types, std::uint32_t* n) {
    for (Stream stream : streams) stream.emit(types, Tick{(*n)++});
  }
  static std::vector<Stream> streams_of(Writer& writer) {
    std::vector<Stream> streams;
    for (std::uint32_t i = 0; i < kStreams; ++i) streams.push_back(writer.stream("s"));
    return streams;
  }
};

TEST_F(MultiplexedRows, OfStreamsThatEndTogetherAreOneBlock) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  std::vector<Stream> streams = streams_of(writer);
  std::uint32_t n = 0;
  for (int i = 0; i < 3; ++i) emit_round(streams, types, &n);
  ASSERT_TRUE(writer.close().ok());
  EXPECT_EQ(layouts_of(read_file(path)), std::vector<int>{EVT_LAYOUT_MULTIPLEXED_ROWS});
  Trace trace = open_file(path);
  EXPECT_EQ(ticks_in(trace), numbers(0, n));
  EXPECT_EQ(trace.status().message(), "");
  for (const StreamInfo& stream : trace.sessions()[0].streams) EXPECT_EQ(stream.rows, 3u);
}

TEST_F(MultiplexedRows, OfOneStreamAreABlockLikeAnyOther) {
  Writer writer = open();
  emit_ticks(writer.stream("a"), writer.declare<Tick>(), 0, 3);
  ASSERT_TRUE(writer.close().ok());
  EXPECT_EQ(layouts_of(read_file(path)), std::vector<int>{EVT_LAYOUT_ROWS});
}

TEST_F(MultiplexedRows, AreCompactedWhereThatIsWanted) {
  evt_options with = options();
  with.compact = evt_columns();
  Result<Writer> writer = Writer::open(path, with);
  const auto types = writer->declare<Tick>();
  std::vector<Stream> streams = streams_of(*writer);
  std::uint32_t n = 0;
  for (int i = 0; i < 30; ++i) emit_round(streams, types, &n);
  ASSERT_TRUE(writer->close().ok());
  EXPECT_EQ(layouts_of(read_file(path)), std::vector<int>{EVT_LAYOUT_MULTIPLEXED_COLUMNS});
  EXPECT_EQ(ticks_in(path), numbers(0, n));
}

TEST_F(MultiplexedRows, LeaveAPipeEverySecondInFewBlocks) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::string bytes;
  std::thread reader([&] {
    char some[4096];
    for (ssize_t got = 0; (got = read(ends[0], some, sizeof some)) > 0;)
      bytes.append(some, static_cast<std::size_t>(got));
  });
  const auto began = std::chrono::steady_clock::now();
  Result<Writer> writer = Writer::open(ends[1], options());
  const auto types = writer->declare<Tick>();
  std::vector<Stream> streams = streams_of(*writer);
  std::uint32_t n = 0;
  while (writer->counts().events_written == 0) {
    emit_round(streams, types, &n);
    usleep(50'000);
  }
  emit_round(streams, types, &n);
  EXPECT_TRUE(writer->close().ok());
  const auto seconds = static_cast<std::size_t>((std::chrono::steady_clock::now() - began) / std::chrono::seconds(1));
  close(ends[1]);
  reader.join();
  close(ends[0]);
  // A block a second at most, and one at the end.
  const std::vector<int> layouts = layouts_of(bytes);
  EXPECT_GE(layouts.size(), 2u);
  EXPECT_LE(layouts.size(), seconds + 1);
  EXPECT_EQ(layouts, std::vector<int>(layouts.size(), EVT_LAYOUT_MULTIPLEXED_ROWS));
  Trace trace = open_trace(bytes);
  EXPECT_EQ(ticks_in(trace), numbers(0, n));
}

TEST_F(MultiplexedRows, AreInTheFileWhenThatIsAskedFor) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  std::vector<Stream> streams = streams_of(writer);
  std::uint32_t n = 0;
  for (std::size_t i = 1; i <= 3; ++i) {
    emit_round(streams, types, &n);
    writer.flush();
    EXPECT_EQ(layouts_of(read_file(path)), std::vector<int>(i, EVT_LAYOUT_MULTIPLEXED_ROWS));
  }
  writer.flush();
  EXPECT_EQ(writer.counts().events_written, n);
  Trace without_ring = open_file(path, false);
  EXPECT_EQ(ticks_in(without_ring), numbers(0, n));
  EXPECT_TRUE(writer.close().ok());
  writer.flush();
}

TEST_F(MultiplexedRows, OfThreadsThatGoOnAreInTheFileUpToTheWish) {
  Writer writer = open();
  const auto types = writer.declare<Tick>();
  std::atomic<bool> done{false};
  std::atomic<std::uint32_t> emitted[4] = {};
  std::vector<std::thread> threads;
  for (auto& count : emitted) {
    threads.emplace_back([&, stream = writer.stream("t")]() mutable {
      while (!done) stream.emit(types, Tick{count++});
    });
  }
  for (int i = 0; i < 20; ++i) {
    std::uint64_t sum = 0;
    for (const auto& count : emitted) sum += count;
    writer.flush();
    EXPECT_GE(writer.counts().events_written + 4, sum) << "the last of each may not have been committed";
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(writer.close().ok());
}

TEST_F(MultiplexedRows, ThatCannotBeWrittenAreCountedAsLost) {
  Sink blocks(0, Sink::kEvents);
  Result<Writer> writer = Writer::open(&Sink::take, &blocks, options());
  const auto types = writer->declare<Tick>();
  std::vector<Stream> streams = streams_of(*writer);
  std::uint32_t n = 0;
  emit_round(streams, types, &n);
  evt_writer* const raw = writer->get();
  EXPECT_FALSE(writer->close().ok());
  EXPECT_EQ(evt_writer_counts(raw).lost[EVT_LOST_SINK], n);
  EXPECT_EQ(evt_writer_counts(raw).events_written, 0u);
}

TEST_F(MultiplexedRows, AndARingAreReadOnceEach) {
  constexpr std::uint32_t kEnding = 500;
  ASSERT_NO_FATAL_FAILURE(killed_after([&] {
    auto* const writer = new Writer(open());
    const auto types = writer->declare<Tick>();
    std::vector<Stream> streams = streams_of(*writer);
    std::uint32_t n = 0;
    emit_round(streams, types, &n);
    std::vector<Stream> ending;
    for (std::uint32_t i = 0; i < kEnding; ++i) ending.push_back(writer->stream("e"));
    for (Stream stream : ending) stream.emit(types, Tick{n++});
    for (Stream stream : ending) stream.seal();
    while (writer->counts().events_written < kEnding) usleep(1000);
    emit_round(streams, types, &n);
  }));
  const std::vector<int> layouts = layouts_of(read_file(path));
  EXPECT_NE(std::count(layouts.begin(), layouts.end(), EVT_LAYOUT_MULTIPLEXED_ROWS), 0);
  EXPECT_EQ(ticks_in(path), numbers(0, 2 * kStreams + kEnding));

  // The next run of the program puts the ring into the file.
  evt_error said;
  const evt_options with = options();
  evt_writer* const next = evt_open(path.c_str(), &with, &said);
  ASSERT_NE(next, nullptr) << said.message;
  evt_close(next, nullptr);
  const std::string old = folder / files().front();
  ASSERT_NE(old, path);
  EXPECT_EQ(open_file(old, false).status().message(), "");
  EXPECT_EQ(ticks_in(old), numbers(0, 2 * kStreams + kEnding));
}

}  // namespace
}  // namespace evt::testing
