// Sentences of FORMAT.md that could be read in two ways, and what the reader makes of each.
#include <evt/describe.h>

#include "columns_of.h"
#include "raw_trace.h"

namespace evt::testing {
namespace {

// Section 5: what is recovered, its number states, and not its flag.
TEST(OneReading, ABlockIsRecoveredByItsNumber) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1)).header([](BlockHeader& h) { h.flags |= EVT_FLAG_RECOVERED; });
  EXPECT_EQ(reading_of(trace.events(1, Rows().tick(2, 2)).trailer()),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n");
  RawTrace unflagged = ordinary_trace().events(1, Rows().tick(1, 1)).trailer();
  unflagged.events(1, Rows().tick(2, 2)).header([](BlockHeader& h) { h.block_no = EVT_BLOCK_NO_RECOVERED; });
  unflagged.session().header([](BlockHeader& h) { h.block_no = EVT_BLOCK_NO_RECOVERED; });
  EXPECT_EQ(reading_of(unflagged), "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\ntruncated\n");
}

// Section 6.5.
TEST(OneReading, ATrailerOfLessThan40BytesIsDamage) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1));
  EXPECT_EQ(reading_of(trace.block(EVT_BLOCK_TRAILER, le64(39) + le64(0) + le64(0) + le64(0) + le64(0))),
            "0.000000001 1 tick n=1\nstatus damaged\ndamage 5..6: a TRAILER block that is too short\ntruncated\n");
}

// Section 6: a repeat may have fewer fields; of one that has more, the first description and labels stay.
TEST(OneReading, TheFirstWordsOfARepeatedTypeStay) {
  RawTrace trace = ordinary_trace();
  trace.declare("type 1025 t \"first\" (a enum8 labels=[1=one] \"a\")\n");
  trace.declare("type 1025 t \"second\" (a enum8 labels=[1=uno 2=two] \"b\") (c u8)\n");
  trace.declare("type 1025 t (a enum8)\n");
  trace.events(1, Rows().row(1, 1025, std::string("\1\2", 2)).row(2, 1025, std::string("\2\3", 2))).trailer();
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  EXPECT_TRUE(opened.damage().empty());
  const std::string text = text_of(opened);
  EXPECT_EQ(text.substr(text.find("type 1025")),
            "type 1025 t \"first\" (a enum8 labels=[1=one] \"a\") (c u8)\n"
            "stream 1 \"a\"\n0.000000001 1 t a=one c=2\n0.000000002 1 t a=2 c=3\n"
            "type 1024 tick (n u64)\nstream 2 \"b\"\n");
}

// Section 7: 0 is a number that nothing describes, of a stream; of a clock one as any other.
TEST(OneReading, Stream0AndClock0AreRead) {
  RawTrace trace = ordinary_trace();
  trace.clock({0, EVT_CLOCK_OTHER, 1'000'000'000, 0, 5, 0});
  EXPECT_EQ(reading_of(trace.events(0, Rows().tick(1, 1)).events(1, Rows().tick(2, 2), 0, 0).trailer()),
            "0.000000001 0 tick n=1\n0.000000007 1 tick n=2\n");
}

// Section 7.1: elsewhere than in a block's first row it is a base.
TEST(OneReading, AJumpBehindTheFirstRowIsABase) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(100, 1).time_base(10, EVT_TIME_BASE_JUMP).tick(1, 2)).events(2, Rows().tick(50, 3));
  EXPECT_EQ(reading_of(trace.trailer()), "0.000000050 2 tick n=3\n0.000000100 1 tick n=1\n0.000000011 1 tick n=2\n");
}

// Section 7.1: rows are read up to where they are wrong.
TEST(OneReading, RowsBeforeAWrongOneAreRead) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).raw(le32(2) + le16(1024) + le16(7)).tick(3, 3)).trailer();
  EXPECT_EQ(reading_of(trace),
            "0.000000001 1 tick n=1\nstatus damaged\n"
            "damage 4..5: row 1 of stream 1 claims 7 bytes, 24 are left in its block\nmissing 2 of stream 1\n");
}

// Section 7.2.
TEST(OneReading, APlaneBeyondTheWidthIsDamage) {
  const Rows rows = Rows().tick(2, 2).tick(2, 5);
  std::string columns = columns_of(rows);
  columns.at(8) = static_cast<char>(columns.at(8) | 0x40);  // of the steps, 4 bytes wide
  RawTrace trace = ordinary_trace();
  trace.events(1, rows).store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size()).trailer();
  EXPECT_EQ(reading_of(trace),
            "status damaged\ndamage 4..4+155: a column has planes that its width has not\nmissing 2 of stream 1\n");
}

// Section 8.1.
TEST(OneReading, TheFirst64TagsAreKept) {
  std::string line = "type 1025 t tags=[";
  for (int i = 0; i < 64; ++i) line += "\"com.example.t" + std::to_string(i) + "\" ";
  RawTrace trace = ordinary_trace().declare(line + "]\n");
  const std::string bytes = trace.trailer().bytes();
  EXPECT_EQ(open_trace(bytes).sessions()[0].types.back().meaning().tags.size(), 64u);
}

// Section 9: anchors are taken in the order in which their blocks were written.
TEST(OneReading, AnchorsGoByTheNumbersOfTheirBlocks) {
  RawTrace trace = ordinary_trace();
  trace.sync({.clock_id = 1, .ticks = 1'000'000'000, .ns = 1'000'000'000});
  trace.sync({.clock_id = 1, .ticks = 2'000'000'000, .ns = 3'000'000'000});
  trace.events(1, Rows().tick(0, 1), 1'500'000'000).trailer();
  EXPECT_EQ(events_of(trace.bytes()), "2.000000000 1 tick n=1\n");
  EXPECT_EQ(events_of(trace.swap(4, 5).bytes()), "2.000000000 1 tick n=1\n");
}

// Section 9: what 64 bits do not hold is the nearest number that they do.
TEST(OneReading, TimesBeyond64BitsAreTheNearest) {
  RawTrace trace = ordinary_trace();
  trace.clock({2, EVT_CLOCK_OTHER, 1, 0, 0, 0});
  EXPECT_EQ(events_of(trace.events(1, Rows().tick(1, 1), std::uint64_t{1} << 63, 2).trailer().bytes()),
            "9223372036.854775807 1 tick n=1\n");
  RawTrace early = ordinary_trace();
  early.clock({2, EVT_CLOCK_OTHER, 1, std::uint64_t{1} << 63, 0, 0});
  EXPECT_EQ(events_of(early.events(1, Rows().tick(1, 1), 0, 2).trailer().bytes()),
            "-9223372036.854775808 1 tick n=1\n");
}

// Section 10: directly behind a whole block any session may go on, in a search only one that has begun or begins.
TEST(OneReading, AnyGoodHeaderBehindAWholeBlockIsRead) {
  RawTrace first = ordinary_trace();
  first.events(1, Rows().tick(1, 1));
  RawTrace other = ordinary_trace(7);
  other.events(1, Rows().tick(2, 2));
  RawTrace both = first;
  both.insert(other.part(4));
  EXPECT_EQ(reading_of(both),
            "0.000000001 1 tick n=1\nstatus damaged\ndamage 5: blocks 0 to 3 of the session are missing\ntruncated\n"
            "not decodable 1\nnot declared\ntruncated\n");
  RawTrace apart = first;
  apart.insert("garbage").insert(other.part(4));
  EXPECT_EQ(reading_of(apart), "0.000000001 1 tick n=1\nstatus damaged\ndamage 5..7: no block header\ntruncated\n");
}

}  // namespace
}  // namespace evt::testing
