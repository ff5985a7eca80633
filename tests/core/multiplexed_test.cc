// EVENTS blocks with rows of several streams: read as if each stream had blocks of its own.
#include <evt/recode.h>

#include "format-spec/src/columns/frame.h"
#include "raw_trace.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

// Two streams by turns, in six blocks.
RawTrace small_blocks() {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(0, 10).tick(3, 13), 10).events(2, Rows().tick(1, 11), 10);
  trace.events(1, Rows().tick(0, 14).tick(2, 16), 14);
  trace.events(2, Rows().tick(0, 15), 15)
      .events(1, Rows().tick(0, 17), 17)
      .events(2, Rows().tick(0, 18).tick(1, 19), 18);
  return trace;
}
RawTrace multiplexed_blocks() {
  RawTrace trace = small_blocks();
  return trace.gather(3);
}

std::string table_of(const std::string& part) {
  const std::string payload = part.substr(EVT_EVENTS_HEADER_SIZE);
  return payload.substr(0, piece_table_size(raw_bytes(payload), payload.size()));
}

// The last part, multiplexed rows, with columns in a frame behind its table.
void compact(RawTrace& trace) {
  const std::string part = trace.part(trace.size() - 1);
  const EventsHeader events = load_events_header(raw_bytes(part));
  const std::string table = table_of(part);
  ColumnFrame frame;
  ASSERT_TRUE(frame.make(raw_bytes(part) + EVT_EVENTS_HEADER_SIZE + table.size(), events.rows_size, events.row_count));
  const std::string bytes(reinterpret_cast<const char*>(frame.bytes()), frame.size());
  trace.store_as(table + bytes, EVT_LAYOUT_MULTIPLEXED_COLUMNS, EVT_CODEC_ZSTD, table.size() + frame.raw_size());
}

// Rows of a type, all alike, so that they take less space as columns.
RawTrace much_alike() {
  RawTrace trace = ordinary_trace();
  for (std::uint32_t stream = 1; stream <= 2; ++stream) {
    Rows rows;
    for (std::uint32_t n = 0; n < 100; ++n) rows.tick(10 * n + stream, n);
    trace.events(stream, rows);
  }
  return trace;
}

TEST(Multiplexed, RowsAreReadAsIfEachStreamHadItsBlocks) {
  EXPECT_EQ(reading_of(multiplexed_blocks().trailer()), reading_of(small_blocks().trailer()));
  EXPECT_EQ(reading_of(multiplexed_blocks().trailer()),
            "0.000000010 1 tick n=10\n"
            "0.000000011 2 tick n=11\n"
            "0.000000013 1 tick n=13\n"
            "0.000000014 1 tick n=14\n"
            "0.000000015 2 tick n=15\n"
            "0.000000016 1 tick n=16\n"
            "0.000000017 1 tick n=17\n"
            "0.000000018 2 tick n=18\n"
            "0.000000019 2 tick n=19\n");
}

TEST(Multiplexed, RowsMayBeOfOneStreamTwice) {
  RawTrace trace = small_blocks();
  EXPECT_EQ(reading_of(trace.gather(6).trailer()), reading_of(small_blocks().trailer()));
}

TEST(Multiplexed, RowsMayBeColumnsInAFrame) {
  RawTrace trace = much_alike().gather(2);
  compact(trace);
  EXPECT_EQ(reading_of(trace.trailer()), reading_of(much_alike().trailer()));
}

TEST(Multiplexed, RowsBelongToTheirStreams) {
  const std::string bytes = multiplexed_blocks().trailer().bytes();
  const Trace trace = open_trace(bytes);
  const std::vector<StreamInfo>& streams = trace.sessions()[0].streams;
  ASSERT_EQ(streams.size(), 2u);
  EXPECT_EQ(streams[0].rows, 5u);
  EXPECT_EQ(streams[0].first_ns, 10);
  EXPECT_EQ(streams[0].last_ns, 17);
  EXPECT_EQ(streams[1].rows, 4u);
  EXPECT_EQ(streams[1].first_ns, 11);
  EXPECT_EQ(streams[1].last_ns, 19);
}

TEST(Multiplexed, RowsAreFoundByTheIndex) {
  const std::string bytes = multiplexed_blocks().index().trailer().bytes();
  Trace trace = open_trace(bytes);
  const Session& session = trace.sessions()[0];
  EXPECT_TRUE(session.indexed);
  EXPECT_EQ(session.streams[1].rows, 4u);
  EXPECT_EQ(session.streams[1].last_ns, 19);
  EXPECT_EQ(event_lines(text_of(trace)), reading_of(small_blocks().trailer()));
}

TEST(Multiplexed, StreamsHaveTheirTimesByTheTableOfTheIndex) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(10, 1)).events(2, Rows().tick(20, 2)).gather(2);
  const std::string bytes = trace.index().trailer().bytes();
  const Trace opened = open_trace(bytes);
  const std::vector<StreamInfo>& streams = opened.sessions()[0].streams;
  EXPECT_TRUE(opened.sessions()[0].indexed);
  EXPECT_EQ(streams[0].last_ns, 10);
  EXPECT_EQ(streams[1].first_ns, 20);
}

TEST(Multiplexed, RowsHaveATimeEachThatCountsFromTheirPiecesBase) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(5, 1).time_base(10'000'000'000).tick(5, 2), 1'000);
  trace.events(2, Rows().tick(5, 3), 7'000'000'000).gather(2);
  EXPECT_EQ(reading_of(trace.trailer()),
            "0.000001005 1 tick n=1\n"
            "7.000000005 2 tick n=3\n"
            "10.000000005 1 tick n=2\n");
}

TEST(Multiplexed, LossesAreCountedByStream) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).lost(2, 7, EVT_LOST_RING_FULL)).events(2, Rows().tick(3, 2)).gather(2);
  const std::string bytes = trace.trailer().bytes();
  const Trace opened = open_trace(bytes);
  EXPECT_EQ(opened.sessions()[0].lost, 7u);
  EXPECT_EQ(opened.sessions()[0].streams[0].lost, 7u);
  EXPECT_EQ(opened.sessions()[0].streams[1].lost, 0u);
}

TEST(Multiplexed, APieceNeverBeginsAStepBackInTime) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(100, 1)).events(2, Rows().tick(50, 2));
  trace.events(1, Rows().time_base(10, EVT_TIME_BASE_JUMP).tick(0, 3)).gather(2);
  EXPECT_EQ(reading_of(trace.trailer()),
            "0.000000050 2 tick n=2\n"
            "0.000000100 1 tick n=1\n"
            "0.000000010 1 tick n=3\n");
}

TEST(Multiplexed, RowsOfOneStreamAreHadAlone) {
  const std::string bytes = multiplexed_blocks().trailer().bytes();
  Trace trace = open_trace(bytes);
  EventOptions options;
  options.stream = [](const Session&, const StreamInfo& stream) { return stream.id == 2; };
  std::vector<std::uint64_t> numbers;
  Events events = trace.events(options);
  while (const Event* event = events.next()) numbers.push_back(event->value("n")->as_unsigned());
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{11, 15, 18, 19}));
}

TEST(Multiplexed, RowsOfSomeTimeAreHadAlone) {
  const std::string bytes = multiplexed_blocks().trailer().bytes();
  Trace trace = open_trace(bytes);
  EventOptions options;
  options.range = [](const Session&) { return TimeRange{14, 17}; };
  std::vector<std::uint64_t> numbers;
  Events events = trace.events(options);
  while (const Event* event = events.next()) numbers.push_back(event->value("n")->as_unsigned());
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{14, 15, 16, 17}));
}

TEST(Multiplexed, ABlockIsReadOnceForAllItsStreams) {
  RawTrace trace = ordinary_trace();
  constexpr std::uint32_t kStreams = 200;
  for (std::uint32_t stream = 1; stream <= kStreams; ++stream) trace.events(stream, Rows().tick(stream, stream));
  trace.gather(kStreams);
  const std::size_t size = trace.part(trace.size() - 1).size();
  const std::string bytes = trace.trailer().bytes();
  Trace opened = open_trace(bytes);
  const std::uint64_t before = opened.bytes_read();
  EXPECT_EQ(std::ranges::count(event_lines(text_of(opened)), '\n'), kStreams);
  EXPECT_LE(opened.bytes_read() - before, 2 * size);
}

// All blocks are of the same time, and memory has room for one of them, and of each stream for a slice of its rows. A
// slice is read again for each window that needs it; a block would be some thirty times as much.
TEST(Multiplexed, RowsThatAreStoredAsTheyAreAreReadWhereTheyAre) {
  constexpr std::uint32_t kStreams = 20;
  RawTrace trace = ordinary_trace();
  for (std::uint32_t stream = 1; stream <= kStreams; ++stream) {
    Rows rows;
    for (std::uint32_t n = 0; n < 500; ++n) rows.tick(n * kStreams + stream, n);
    trace.events(stream, rows);
    if (stream % 2 == 0) trace.gather(2);
  }
  const std::string bytes = trace.trailer().bytes();
  ReadOptions options;
  options.memory_budget = 64 << 10;
  Trace opened = open_trace(bytes, options);
  const std::uint64_t before = opened.bytes_read();
  EXPECT_EQ(event_lines(text_of(opened)), events_of(bytes));
  EXPECT_LE(opened.bytes_read() - before, 6 * bytes.size());
}

TEST(Multiplexed, RowsWhoseTableWasChangedAreMissing) {
  RawTrace trace = multiplexed_blocks().trailer();
  std::string& part = trace.part(trace.size() - 2);
  part[EVT_EVENTS_HEADER_SIZE + table_of(part).size() - 1] ^= 1;
  EXPECT_EQ(reading_of(trace),
            "0.000000010 1 tick n=10\n"
            "0.000000011 2 tick n=11\n"
            "0.000000013 1 tick n=13\n"
            "0.000000014 1 tick n=14\n"
            "0.000000016 1 tick n=16\n"
            "status damaged\n"
            "damage 7..7+227: its table of streams makes no sense\n"
            "missing 4 of some stream\n");
  const std::string bytes = trace.bytes();
  EXPECT_EQ(open_trace(bytes).sessions()[0].missing, 4u) << "of which streams is not known";
}

TEST(Multiplexed, RowsThatWereChangedAreMissingFromEachStream) {
  RawTrace trace = multiplexed_blocks().trailer();
  std::string& part = trace.part(trace.size() - 2);
  part[EVT_EVENTS_HEADER_SIZE + table_of(part).size() + 10] ^= 1;
  EXPECT_EQ(reading_of(trace),
            "0.000000010 1 tick n=10\n"
            "0.000000011 2 tick n=11\n"
            "0.000000013 1 tick n=13\n"
            "0.000000014 1 tick n=14\n"
            "0.000000016 1 tick n=16\n"
            "status damaged\n"
            "damage 7..7+227: payload checksum is XXXXXXXX, expected XXXXXXXX\n"
            "missing 1 of stream 1\n"
            "missing 3 of stream 2\n");
}

TEST(Multiplexed, OrdinalsBehindTheLargestNumberAreDamage) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).events(2, Rows().tick(2, 2));
  trace.events_header([](EventsHeader& e) { e.first_ordinal = UINT64_MAX; }, 5).gather(2).trailer();
  EXPECT_EQ(reading_of(trace),
            "status damaged\ndamage 4..4+195: its table of streams makes no sense\nmissing 2 of some stream\n");
}

TEST(Multiplexed, AnIndexThatLiesAboutStreamsIsNoticed) {
  RawTrace trace = multiplexed_blocks();
  trace.index([](IndexClaims& claims) {
    std::swap(claims.entries.back().pieces[0].stream_id, claims.entries.back().pieces[1].stream_id);
  });
  const std::string reading = reading_of(trace.trailer());
  EXPECT_THAT(reading, ::testing::HasSubstr("damage 7: the index and the header of these rows differ\n"));
  EXPECT_THAT(reading, ::testing::HasSubstr("0.000000019 2 tick n=19\n"));
}

// Of so many blocks the headers are not looked at before.
TEST(Multiplexed, AnIndexThatLiesAboutLossesIsNoticedWhereItIsRead) {
  RawTrace trace = ordinary_trace();
  for (int i = 0; i < 256; ++i) trace.events(9, Rows().row(0, EVT_ROW_PADDING, ""));
  trace.events(1, Rows().tick(1, 1)).events(2, Rows().tick(2, 2)).gather(2);
  trace.index([](IndexClaims& claims) { claims.entries.back().pieces[1].lost_total = 5; });
  EXPECT_THAT(reading_of(trace.trailer()), ::testing::HasSubstr("the index and its table differ in its streams"));
}

TEST(Multiplexed, RowsAreCheckedWithTheIndex) {
  RawTrace right = multiplexed_blocks().index().trailer();
  EXPECT_EQ(reading_of(right, {.check_index = true}), reading_of(small_blocks().trailer()));
  RawTrace wrong = multiplexed_blocks();
  wrong.index([](IndexClaims& claims) { claims.entries.back().pieces[1].first_ordinal += 1; });
  EXPECT_THAT(reading_of(wrong.trailer(), {.check_index = true}),
              ::testing::HasSubstr("the index and the header of these rows differ"));
}

TEST(Multiplexed, RowsGoToColumnsAndBack) {
  const Folder folder;
  const std::string bytes = much_alike().gather(2).index().trailer().bytes();
  folder.write("rows.evt", bytes);
  const auto recoded = [&](const std::string& name, Form form) {
    std::string out;
    const auto read = recode(folder / name, form, [&](Bytes part) {
      out.append(reinterpret_cast<const char*>(part.data()), part.size());
      return 0;
    });
    EXPECT_TRUE(read && read->status().ok());
    return out;
  };
  const std::string columns = recoded("rows.evt", Form::kColumns);
  EXPECT_LT(columns.size(), bytes.size() * 2 / 3);
  Trace trace = open_trace(columns);
  EXPECT_TRUE(trace.sessions()[0].indexed);
  EXPECT_EQ(event_lines(text_of(trace)), reading_of(much_alike().trailer()));
  folder.write("columns.evt", columns);
  EXPECT_EQ(recoded("columns.evt", Form::kRows), bytes);
}

}  // namespace
}  // namespace evt::testing
