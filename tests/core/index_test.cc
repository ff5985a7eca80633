// Traces with an index: read by it as they are without it, with less to read (FORMAT.md, section 6.6).
#include <gtest/gtest.h>

#include "raw_trace.h"

namespace evt::testing {
namespace {

constexpr ReadOptions kWithout{.use_index = false};

// Blocks 0 to 3: metadata; 4 and on: a row each, of streams 1 and 2 in turn, 10 ticks apart.
RawTrace ticking(int blocks, std::uint8_t who = 0) {
  RawTrace trace = ordinary_trace(who);
  for (int i = 0; i < blocks; ++i) trace.events(i % 2 == 0 ? 1 : 2, Rows().tick(static_cast<std::uint32_t>(10 * i), 7));
  return trace;
}

Trace opened(const std::string& bytes, const ReadOptions& options = {}) {
  auto trace = Trace::from_memory(as_bytes(bytes), options);
  if (!trace) throw std::runtime_error(trace.status().message());
  return *std::move(trace);
}

std::vector<bool> indexed(const RawTrace& raw) {
  const std::string bytes = raw.bytes();
  const Trace trace = opened(bytes);
  std::vector<bool> all;
  for (const Session& session : trace.sessions()) all.push_back(session.indexed);
  return all;
}

// Read by its indexes, and nothing else is different from reading its headers.
void expect_read_by_index(const RawTrace& raw) {
  for (const bool one : indexed(raw)) EXPECT_TRUE(one);
  EXPECT_EQ(reading_of(raw), reading_of(raw, kWithout));
}

TEST(Index, TellsWhatHeadersWould) { expect_read_by_index(ticking(7).index().trailer()); }

TEST(Index, TellsOfStreamsAndTimes) {
  const std::string bytes = ticking(7).index().trailer().bytes();
  const Trace trace = opened(bytes);
  const Session& session = trace.sessions()[0];
  EXPECT_EQ(session.rows, 7u);
  EXPECT_EQ(session.last_ns, 60);
  ASSERT_EQ(session.streams.size(), 2u);
  EXPECT_EQ(session.streams[0].rows, 4u);
  EXPECT_EQ(session.streams[1].first_ns, 10);
  EXPECT_EQ(session.streams[1].last_ns, 50);
}

TEST(Index, CountsEventsByType) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).row(2, 2000, "x").time_base(5).lost(0, 3, EVT_LOST_RING_FULL).tick(1, 2));
  trace.events(2, Rows().tick(3, 3).wide(4, 70000, "y")).index().trailer();
  const std::string bytes = trace.bytes();
  const Trace opening = opened(bytes);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counts;
  for (const TypeCount& type : opening.sessions()[0].counts) counts.emplace_back(type.number, type.rows);
  EXPECT_THAT(counts, ::testing::ElementsAre(std::pair(1024u, 3u), std::pair(2000u, 1u), std::pair(0xFF03u, 1u)));
  EXPECT_EQ(opening.sessions()[0].streams[0].lost_by_cause[EVT_LOST_RING_FULL], 3u);
}

TEST(Index, ThatDoesNotKnowAllTypesCountsNone) {
  RawTrace trace = ticking(3).index([](IndexClaims& claims) { claims.entries[5].row_types.clear(); }).trailer();
  expect_read_by_index(trace);
  const std::string bytes = trace.bytes();
  EXPECT_TRUE(opened(bytes).sessions()[0].counts.empty());
}

TEST(Index, SparesTheHeadersOfEvents) {
  const auto read_at_open = [](int blocks, const ReadOptions& options) {
    const std::string bytes = ticking(blocks).index().trailer().bytes();
    return opened(bytes, options).bytes_read();
  };
  const std::uint64_t more = read_at_open(2000, {}) - read_at_open(1000, {});
  EXPECT_LT(more, 1000u * 24);
  EXPECT_GT(read_at_open(2000, kWithout) - read_at_open(1000, kWithout), 1000u * EVT_EVENTS_HEADER_SIZE);
}

TEST(Index, LetsATimeBeReadWithoutOtherBlocks) {
  const std::string bytes = ticking(1000).index().trailer().bytes();
  Trace trace = opened(bytes);
  const std::uint64_t before = trace.bytes_read();
  EventOptions options;
  options.range = [](const Session&) { return TimeRange{5'000, 5'040}; };
  Events events = trace.events(options);
  int count = 0;
  while (events.next() != nullptr) ++count;
  EXPECT_EQ(count, 5);
  EXPECT_EQ(trace.bytes_read() - before, 5u * (EVT_EVENTS_HEADER_SIZE + 16));
}

TEST(Index, MayBeSeveralOneBehindTheOther) {
  RawTrace trace = ticking(3).index();
  trace.events(1, Rows().tick(100, 1)).declare("type 1025 tock (n u8)\n").index();
  trace.events(2, Rows().tick(200, 2)).index().trailer();
  expect_read_by_index(trace);
}

TEST(Index, OfEachSessionOfAFile) {
  RawTrace trace = ticking(3, 0).index().trailer();
  trace.append(ticking(4, 1).index().trailer()).append(ticking(5, 2).index().trailer());
  expect_read_by_index(trace);
}

TEST(Index, MayBeMissingInSessionsOfAFile) {
  RawTrace trace = ticking(3, 0).index().trailer();
  trace.append(ticking(2, 1).trailer()).append(ticking(5, 2).index().trailer());
  EXPECT_EQ(indexed(trace), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(reading_of(trace), reading_of(trace, kWithout));
}

TEST(Index, IsNotUsedBesideACutSession) {
  const RawTrace trace = ticking(3, 0).append(ticking(3, 1).index().trailer());
  EXPECT_EQ(indexed(trace), (std::vector<bool>{false, false}));
  EXPECT_EQ(reading_of(trace), reading_of(trace, kWithout));
}

TEST(Index, IsNotUsedForTheSameSessionTwice) {
  RawTrace once = ticking(3).index().trailer();
  const RawTrace twice = RawTrace(once).append(once);
  EXPECT_EQ(reading_of(twice), reading_of(twice, kWithout));
}

TEST(Index, IsNotUsedWithoutTheEndOfItsSession) {
  const RawTrace trace = ticking(3).index();
  EXPECT_EQ(indexed(trace), std::vector<bool>{false});
  EXPECT_EQ(reading_of(trace), reading_of(trace, kWithout));
}

TEST(Index, IsNotUsedWhenItsSessionGoesOn) {
  RawTrace trace = ticking(3).index().trailer();
  trace.events(1, Rows().tick(99, 9));
  EXPECT_EQ(indexed(trace), std::vector<bool>{false});
  EXPECT_EQ(reading_of(trace), reading_of(trace, kWithout));
}

TEST(Index, IsNotUsedByAStrictReader) {
  const std::string bytes = ticking(3).index().trailer().bytes();
  EXPECT_FALSE(opened(bytes, {.strict = true}).sessions()[0].indexed);
}

TEST(Index, TellsOfStepsInTimeThatAreMeant) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(50, 1)).events(1, Rows().time_base(10, EVT_TIME_BASE_JUMP).tick(1, 2));
  trace.events(2, Rows().tick(20, 3)).index().trailer();
  expect_read_by_index(trace);
  EXPECT_EQ(events_of(trace.bytes()), events_of(trace.bytes(), kWithout));
}

TEST(Index, DoesNotHideABlockWhoseRowsAreDamaged) {
  expect_read_by_index(ticking(5).index().trailer().spoil_payload(6));
}

TEST(Index, DoesNotHideAHeaderThatIsDamaged) {
  const RawTrace few = ticking(3).index().trailer().spoil_header(5);
  EXPECT_EQ(reading_of(few), reading_of(few, kWithout));
  RawTrace many = ordinary_trace();
  for (int i = 0; i < 256; ++i) many.events(9, Rows().row(0, EVT_ROW_PADDING, ""));
  many.events(1, Rows().tick(1, 7)).events(2, Rows().tick(2, 7)).index().trailer();
  EXPECT_EQ(
      reading_of(many.spoil_header(261)),
      "0.000000001 1 tick n=7\n"
      "status damaged\n"
      "damage 261..262: by the index 1 rows from 0 on of stream 2 on clock 1 are here, and there is no such block\n"
      "missing 1 of stream 2\n");
}

TEST(Index, DoesNotHideMetadataThatIsDamaged) {
  RawTrace trace = ticking(3).declare("string 1 \"text\"\n").index().trailer();
  EXPECT_EQ(reading_of(RawTrace(trace).spoil_payload(7)), reading_of(RawTrace(trace).spoil_payload(7), kWithout));
  EXPECT_EQ(reading_of(RawTrace(trace).spoil_header(7)), reading_of(RawTrace(trace).spoil_header(7), kWithout));
}

TEST(Index, OfALaterVersionMayHaveMore) {
  RawTrace trace = ticking(1);
  // The fixed part is longer, and each entry too.
  const auto entry = [](const std::string& numbers) { return le8(numbers.size() + 2) + numbers + "++"; };
  std::string entries;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t size = trace.part(i).size();
    const std::uint16_t type = header_of(trace.part(i)).type;
    entries += entry(le8(type) + le8(size % 128 + 128) + le8(size / 128));
  }
  const std::string size = le8(128 + trace.part(4).size() % 128) + le8(trace.part(4).size() / 128);
  entries += entry(le8(6) + size + std::string("\0\0\1\0\0\1\1\1\0\0\1\x80\x10\1", 14));
  trace.block(EVT_BLOCK_INDEX, le16(40) + le16(0) + le32(5) + le64(0) + le64(trace.offset_of(5)) +
                                   le32(entries.size()) + le32(0) + le64(99) + entries);
  const std::uint64_t distance = trace.offset_of(6) - trace.offset_of(5);
  trace.trailer([&](TrailerRecord& facts) { facts.index_distance = distance; });
  expect_read_by_index(trace);
  const std::string bytes = trace.bytes();
  EXPECT_EQ(opened(bytes).sessions()[0].counts.at(0).number, 0x800u / 2);
}

}  // namespace
}  // namespace evt::testing
