// Headers whose checksum is right and that claim what cannot be, and rows that lie about their sizes (FORMAT.md,
// sections 5, 7 and 11).
#include <gtest/gtest.h>

#include "raw_trace.h"
#include "support/row_sizes.h"

namespace evt::testing {
namespace {

constexpr const char* kBoth = "0.000000001 1 tick n=1\n0.000000009 1 tick n=9\n";

// Block 4: an event. Block 5: what lies. Block 6: another event. Block 7: TRAILER.
class Lie {
 public:
  explicit Lie(const Rows& rows = Rows().tick(2, 2).tick(3, 3)) : trace_(ordinary_trace()) {
    trace_.events(1, Rows().tick(1, 1)).events(1, rows).events(1, Rows().tick(9, 9)).trailer();
  }
  explicit Lie(std::uint16_t type) : trace_(ordinary_trace()) {
    trace_.events(1, Rows().tick(1, 1)).block(type, "12345678").events(1, Rows().tick(9, 9)).trailer();
  }

  Lie& header(const RawTrace::ChangeHeader& change) { return trace_.header(change, 5), *this; }
  Lie& events(const RawTrace::ChangeEvents& change) { return trace_.events_header(change, 5), *this; }
  std::string reading() const { return reading_of(trace_); }
  // A block that cannot be believed is damage, and its rows, of which there are two, are missing.
  void expect_damage(const std::string& why) const {
    EXPECT_EQ(reading(), lines({kBoth, "status damaged\ndamage 5..6: a block that cannot be: ", why, "\n",
                                "missing 2 of stream 1\n"}));
  }

 private:
  RawTrace trace_;
};

TEST(Claim, OfMoreRowsThanFormatAllowsIsDamage) {
  Lie lie;
  lie.header([](BlockHeader& h) { h.payload_size = h.raw_size = EVT_MAX_EVENTS_PAYLOAD + 1; });
  lie.events([](EventsHeader& e) { e.rows_size = EVT_MAX_EVENTS_PAYLOAD + 1; });
  lie.expect_damage("its payload is larger than the format allows");
}

TEST(Claim, OfAPayloadOfFourGigabytesIsDamage) {
  Lie lie;
  lie.header([](BlockHeader& h) { h.payload_size = h.raw_size = UINT32_MAX; });
  lie.expect_damage("its payload is larger than the format allows");
}

TEST(Claim, OfMoreRowsAfterTheCodecThanFormatAllowsIsDamage) {
  Lie lie;
  lie.header([](BlockHeader& h) { h.codec = EVT_CODEC_ZSTD, h.raw_size = EVT_MAX_EVENTS_PAYLOAD + 1; });
  lie.expect_damage("its rows are larger than the format allows");
}

TEST(Claim, OfRowsOfAnotherSizeThanThePayloadIsDamage) {
  Lie lie;
  lie.events([](EventsHeader& e) { e.rows_size -= 1; });
  lie.expect_damage("its rows and its payload differ in size");
}

TEST(Claim, OfMoreRowsThanBytesCanHoldIsDamage) {
  Lie lie;
  lie.events([](EventsHeader& e) { e.row_count = e.rows_size / 8 + 1; });
  lie.expect_damage("it claims more rows than its bytes can hold");
}

TEST(Claim, OfOrdinalsBehindTheLargestNumberIsDamage) {
  Lie lie;
  lie.events([](EventsHeader& e) { e.first_ordinal = UINT64_MAX - 1; });
  lie.expect_damage("its ordinals go on behind the largest number");
}

TEST(Claim, OfAnotherRawSizeWithoutACodecIsDamage) {
  Lie lie;
  lie.header([](BlockHeader& h) { h.raw_size += 1; });
  lie.expect_damage("its raw size differs from its payload size");
}

TEST(Claim, OfEventsWithoutTheirPartOfTheHeaderIsDamage) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).block(EVT_BLOCK_EVENTS, "rows of some kind");
  trace.events(1, Rows().tick(9, 9)).trailer();
  EXPECT_EQ(reading_of(trace), lines({kBoth,
                                      "status damaged\n"
                                      "damage 5..6: a block that cannot be: "
                                      "its header is too short for events\n"}));
}

TEST(Claim, OfAPayloadInTheLimitsOfItsTypeIsBelieved) {
  const auto claim = [](std::uint16_t type, std::uint32_t size) {
    Lie lie(type);
    return lie.header([size](BlockHeader& h) { h.payload_size = h.raw_size = size; }).reading();
  };
  const std::string too_large = lines(
      {kBoth, "status damaged\ndamage 5..6: a block that cannot be: its payload is larger than the format allows\n"});
  const auto cut_off = [](std::uint64_t size) {
    return lines({kBoth, "status damaged\ndamage 5..6: a block of ", std::to_string(48 + size),
                  " bytes, of which 280 are there\n"});
  };
  for (const std::uint16_t type : std::vector<std::uint16_t>{EVT_BLOCK_TYPES, EVT_BLOCK_SYNC, EVT_BLOCK_INDEX, 77, 0}) {
    EXPECT_EQ(claim(type, EVT_MAX_METADATA_PAYLOAD), cut_off(EVT_MAX_METADATA_PAYLOAD)) << type;
    EXPECT_EQ(claim(type, EVT_MAX_METADATA_PAYLOAD + 1), too_large) << type;
  }
  EXPECT_EQ(claim(EVT_BLOCK_PRIVATE, EVT_MAX_PRIVATE_PAYLOAD), cut_off(EVT_MAX_PRIVATE_PAYLOAD));
  EXPECT_EQ(claim(EVT_BLOCK_PRIVATE, EVT_MAX_PRIVATE_PAYLOAD + 1), too_large);
}

TEST(Claim, OfFewerRowsThanThereAreIsDamageBehindThem) {
  Lie lie;
  lie.events([](EventsHeader& e) { e.row_count = 1; });
  EXPECT_EQ(lie.reading(),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000009 1 tick n=9\n"
            "status damaged\n"
            "damage 5..6: 1 rows and 32 bytes of rows do not go together\n"
            "missing 1 of stream 1\n")
      << "by the ordinals a row is missing, which there is one row too many of here";
}

TEST(Claim, OfMoreRowsThanThereAreIsDamage) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(2, 2).tick(3, 3));
  trace.events_header([](EventsHeader& e) { e.row_count = 3; }).leave_out_rows(1, 1);
  trace.events(1, Rows().tick(9, 9)).trailer();
  EXPECT_EQ(reading_of(trace),
            "0.000000002 1 tick n=2\n0.000000003 1 tick n=3\n0.000000009 1 tick n=9\n"
            "status damaged\n"
            "damage 4..5: 3 rows and 32 bytes of rows do not go together\n"
            "missing 1 of stream 1\n");
}

TEST(Claim, OfARowsChecksumThatIsNotThePayloadsIsDamage) {
  Lie lie;
  lie.events([](EventsHeader& e) { e.rows_crc ^= 1; });
  EXPECT_EQ(lie.reading(), lines({kBoth,
                                  "status damaged\n"
                                  "damage 5..6: payload checksum is XXXXXXXX, expected XXXXXXXX\n"
                                  "missing 2 of stream 1\n"}));
}

TEST(Claim, OfNoRowsAtAllIsFine) { EXPECT_EQ(Lie(Rows()).reading(), kBoth); }

// The first row of block 5 is right, then comes what lies, then a row that no reader can find.
std::string behind_a_row(const std::string& lie) { return Lie(Rows().tick(2, 2).raw(lie).tick(3, 3)).reading(); }

std::string damaged_at_its_second_row(const std::string& why) {
  return lines({"0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000009 1 tick n=9\n",
                "status damaged\ndamage 5..6: ", why, "\nmissing 2 of stream 1\n"});
}

TEST(Row, OfLessThanItsHeaderIsDamage) {
  for (std::uint64_t size = 1; size < 8; ++size) {
    EXPECT_EQ(behind_a_row(le32(2) + le16(1024) + le16(size)),
              damaged_at_its_second_row("row 2 of stream 1 claims " + std::to_string(size) +
                                        " bytes, 24 are left in its block"));
  }
}

TEST(Row, OverTheEndOfItsBlockIsDamage) {
  EXPECT_EQ(behind_a_row(le32(2) + le16(1024) + le16(25)),
            damaged_at_its_second_row("row 2 of stream 1 claims 25 bytes, 24 are left in its block"));
  EXPECT_EQ(behind_a_row(le32(2) + le16(1024) + le16(0xFFFF)),
            damaged_at_its_second_row("row 2 of stream 1 claims 65535 bytes, 24 are left in its block"));
}

TEST(Row, ThatIsBigAndLiesIsDamage) {
  for (const std::uint64_t size : {0u, 8u, 11u, 33u, 0xFFFFFFFFu}) {
    EXPECT_EQ(behind_a_row(le32(2) + le16(1024) + le16(0) + le32(size) + "more"),
              damaged_at_its_second_row("row 2 of stream 1 claims " + std::to_string(size) +
                                        " bytes, 32 are left in its block"))
        << size;
  }
}

TEST(Row, ThatIsBigWithoutRoomForItsSizeIsDamage) {
  EXPECT_EQ(Lie(Rows().tick(2, 2).raw(le32(2) + le16(1024) + le16(0)).raw("", 0)).reading(),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000009 1 tick n=9\n"
            "status damaged\n"
            "damage 5..6: row 2 of stream 1 claims 0 bytes, 8 are left in its block\n"
            "missing 1 of stream 1\n");
}

TEST(Row, ThatEndsInsideItsHeaderIsDamage) {
  EXPECT_EQ(Lie(Rows().tick(2, 2).raw("1234567")).reading(),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000009 1 tick n=9\n"
            "status damaged\n"
            "damage 5..5+143: the rows of stream 1 end inside a row\n"
            "missing 1 of stream 1\n");
}

TEST(Row, ThatIsBigMayBeSmall) {
  EXPECT_EQ(Lie(Rows().big_row(2, 1024, le64(2))).reading(),
            "0.000000001 1 tick n=1\n0.000000002 1 tick n=2\n0.000000009 1 tick n=9\n");
}

TEST(Row, MayHaveNoPayload) {
  EXPECT_EQ(Lie(Rows().row(2, 1024, "").big_row(3, 1024, "")).reading(),
            "0.000000001 1 tick n=1\n0.000000002 1 tick\n0.000000003 1 tick\n0.000000009 1 tick n=9\n");
}

TEST(Row, MayReachToTheLastByteAllowed) {
  const std::string payload(std::size_t{EVT_MAX_EVENT_ROW} - kLargeRowHeader, 'x');
  const std::string bytes = ordinary_trace().events(1, Rows().big_row(5, 1024, payload)).trailer().bytes();
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  const Event* const event = events.next();
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->payload().size(), payload.size());
  EXPECT_EQ(events.next(), nullptr);
  EXPECT_TRUE(events.status().ok()) << events.status().message();
}

}  // namespace
}  // namespace evt::testing
