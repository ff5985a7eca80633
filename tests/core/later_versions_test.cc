// What a later version may write (FORMAT.md, section 5): this one skips it, counts it, or reports that the format is
// newer.
#include <gtest/gtest.h>

#include "columns_of.h"
#include "raw_trace.h"

namespace evt::testing {
namespace {

constexpr const char* kFirstEvent = "0.000000001 1 tick n=1\n";
constexpr const char* kBothEvents = "0.000000001 1 tick n=1\n0.000000009 1 tick n=9\n";

// Block 4: an event. Block 5: as `later` makes it. Block 6: an event. Block 7: TRAILER.
RawTrace around(const std::function<void(RawTrace&)>& later) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1));
  later(trace);
  return trace.events(1, Rows().tick(9, 9)).trailer();
}

// Two events that this version cannot take apart.
RawTrace around_rows(const RawTrace::ChangeHeader& header, const RawTrace::ChangeEvents& events) {
  return around([&](RawTrace& t) { t.events(1, Rows().tick(2, 2).tick(3, 3)).header(header).events_header(events); });
}
const RawTrace::ChangeHeader kAsItIs = [](BlockHeader&) {};
const RawTrace::ChangeEvents kRowsAsTheyAre = [](EventsHeader&) {};

TEST(LaterVersion, WithBlocksOfAnUnknownTypeLosesNothing) {
  for (const std::uint16_t type : std::vector<std::uint16_t>{0, EVT_BLOCK_INDEX, 14, 0x7FFF, 0x8000, 0xFFFF}) {
    EXPECT_EQ(reading_of(around([type](RawTrace& t) { t.block(type, "what is this?"); })), kBothEvents) << type;
  }
}

TEST(LaterVersion, MayDamageABlockOfAnUnknownTypeUnseen) {
  EXPECT_EQ(reading_of(around([](RawTrace& t) { t.block(14, "what is this?").spoil_payload(); })), kBothEvents)
      << "its payload means nothing to this version";
}

TEST(LaterVersion, WithLongerHeadersIsRead) {
  for (const std::uint16_t size : std::vector<std::uint16_t>{128, 512, 1024}) {
    RawTrace trace = around([](RawTrace& t) { t.events(1, Rows().tick(5, 5)); });
    std::string& part = trace.part(5);
    part.insert(EVT_EVENTS_HEADER_SIZE, std::string(size - std::size_t{EVT_EVENTS_HEADER_SIZE}, '?'));
    part[12] = static_cast<char>(size & 0xFF);
    part[13] = static_cast<char>(size >> 8);
    seal_header(raw_bytes(part), size);
    EXPECT_EQ(events_of(trace.bytes()), "0.000000001 1 tick n=1\n0.000000005 1 tick n=5\n0.000000009 1 tick n=9\n")
        << size;
  }
}

TEST(LaterVersion, WithAnUnknownLayoutHasRowsThatAreNotDecodable) {
  for (const int layout : std::vector<int>{4, 9, 255}) {
    const auto change = [layout](EventsHeader& e) { e.layout = static_cast<std::uint8_t>(layout); };
    EXPECT_EQ(reading_of(around_rows(kAsItIs, change)), lines({kBothEvents, "status damaged\nnot decodable 2\n"}))
        << layout;
  }
}

TEST(LaterVersion, WithAnUnknownLayoutMayStoreRowsSmallerThanTheyAre) {
  const auto packed = [](EventsHeader& e) { e.layout = 4, e.rows_size = 1000, e.row_count = 100; };
  RawTrace trace =
      around([&](RawTrace& t) { t.events(1, Rows().tick(2, 2)).events_header(packed).leave_out_rows(1, 99); });
  EXPECT_EQ(reading_of(trace), lines({kBothEvents, "status damaged\nnot decodable 100\n"}));
}

TEST(LaterVersion, WithAnUnknownCodecHasRowsThatAreNotDecodable) {
  for (const int codec : std::vector<int>{2, 255}) {
    const auto change = [codec](BlockHeader& h) { h.codec = static_cast<std::uint8_t>(codec), h.raw_size = 1000; };
    EXPECT_EQ(reading_of(around_rows(change, kRowsAsTheyAre)),
              lines({kBothEvents, "status damaged\nnot decodable 2\n"}))
        << codec;
  }
}

TEST(LaterVersion, WithColumnsOfAnUnknownKindHasRowsThatAreNotDecodable) {
  const Rows rows = Rows().tick(2, 2).tick(2, 5);
  for (const std::size_t what : {std::size_t{0}, std::size_t{1}}) {  // the item's kind, its transform
    std::string columns = columns_of(rows);
    const std::size_t item = columns.find(le16(1024) + le8(0) + le8(1)) + 4;
    columns.at(item + what) = 9;
    const auto later = [&](RawTrace& t) {
      t.events(1, rows).store_as(columns, EVT_LAYOUT_COLUMNS, EVT_CODEC_NONE, columns.size());
    };
    EXPECT_EQ(reading_of(around(later)), lines({kBothEvents, "status damaged\nnot decodable 2\n"})) << what;
  }
}

TEST(LaterVersion, WithAnUnknownCodecHasMetadataThatIsNotUnderstood) {
  const auto packed = [](RawTrace& t) {
    t.block(EVT_BLOCK_STRINGS, "packed").header([](BlockHeader& h) { h.codec = 2, h.raw_size = 100; });
  };
  EXPECT_EQ(reading_of(around(packed)), lines({kBothEvents, "status damaged\nnot understood 1\n"}));
}

TEST(LaterVersion, WithAClockThatIsNotDescribedHasRowsThatAreNotDecodable) {
  const auto change = [](EventsHeader& e) { e.clock_id = 2; };
  EXPECT_EQ(reading_of(around_rows(kAsItIs, change)), lines({kBothEvents, "status damaged\nnot decodable 2\n"}));
}

TEST(LaterVersion, CanHaveABlockSkippedThatMustBeUnderstood) {
  for (unsigned bit = 0; bit < 7; ++bit) {
    const auto must = [bit](BlockHeader& h) { h.must_understand = static_cast<std::uint8_t>(1 << bit); };
    EXPECT_EQ(reading_of(around_rows(must, kRowsAsTheyAre)),
              lines({kBothEvents, "status damaged\nmissing 2 of stream 1\nnot understood 1\n"}))
        << bit;
  }
}

TEST(LaterVersion, CanEndTheReadingOfItsSession) {
  RawTrace trace = around([](RawTrace& t) {
    t.block(77, "all is different from here on").header([](BlockHeader& h) {
      h.must_understand = EVT_MUST_END_SESSION;
    });
  });
  trace.append(ordinary_trace(1).events(2, Rows().tick(4, 4)).trailer());
  EXPECT_EQ(reading_of(trace), lines({kFirstEvent,
                                      "0.000000004 2 tick n=4\n"
                                      "status damaged\n"
                                      "not understood 1\n"
                                      "truncated\n"}))
      << "what was read before is kept, and the next session is read";
}

// A trace whose SESSION block has these bytes at a place of its fixed part.
RawTrace session_with(std::size_t at, const std::string& bytes, std::uint8_t who = 0) {
  RawTrace trace = ordinary_trace(who).events(1, Rows().tick(1, 1)).trailer();
  std::string& part = trace.part(0);
  part.replace(48 + session_fixed_at(part.substr(48)) + at, bytes.size(), bytes);
  const BlockHeader header = header_of(part);
  return trace.header([&](BlockHeader& h) { h.payload_crc = crc32c(0, &part[48], header.payload_size); }, 0);
}

TEST(LaterVersion, OfWhichThisIsADraftIsNamedAndNotInterpreted) {
  EXPECT_EQ(
      reading_of(session_with(8, le64(EVT_INCOMPAT_DRAFT))),
      "newer format: was written in a draft of format 1.0: evt convert --rows or --columns makes a trace of it\n");
}

TEST(LaterVersion, OfADraftFromBeforeTheCandidateIsNamedAndNotInterpreted) {
  EXPECT_EQ(reading_of(session_with(0, le16(EVT_SESSION_FIXED_SIZE_OF_DRAFTS))),
            "newer format: was written in a draft from before 1.0-candidate\n");
}

TEST(LaterVersion, OfALaterMinorIsRead) { EXPECT_EQ(reading_of(session_with(4, le16(9))), kFirstEvent); }

TEST(LaterVersion, WithCompatibleFeaturesIsRead) { EXPECT_EQ(reading_of(session_with(16, le64(~0ull))), kFirstEvent); }

TEST(LaterVersion, OfALaterMajorIsNamedAndNotInterpreted) {
  EXPECT_EQ(reading_of(session_with(2, le16(2) + le16(3))),
            "newer format: was written in format 2.3, newer than " EVT_FORMAT_NAME "\n");
}

TEST(LaterVersion, WithIncompatibleFeaturesIsNamedAndNotInterpreted) {
  EXPECT_EQ(reading_of(session_with(8, le64(1ull << 62))),
            "newer format: uses features of a later format than " EVT_FORMAT_NAME "\n");
}

TEST(LaterVersion, OfOneSessionLeavesTheOthersReadable) {
  RawTrace trace = session_with(2, le16(2));
  trace.append(ordinary_trace(1).events(2, Rows().tick(4, 4)).trailer());
  EXPECT_EQ(reading_of(trace),
            "0.000000004 2 tick n=4\n"
            "status newer format\n");
}

std::string newer_block() {
  return std::string(
             "\x89"
             "EVU\r\n\x1a\n",
             8) +
         std::string(56, 'x');
}

TEST(LaterVersion, OfAnotherHeaderGenerationIsNamed) {
  const std::string bytes = newer_block() + newer_block();
  const auto trace = Trace::from_memory(as_bytes(bytes));
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.status().code(), Code::kNewerFormat);
  EXPECT_EQ(trace.status().message(),
            "memory was written in a newer format than this program knows (" EVT_FORMAT_NAME ")");
}

TEST(LaterVersion, OfAnotherHeaderGenerationInTheMiddleIsNewerAndTheRestIsRead) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).insert(newer_block());
  trace.events(1, Rows().tick(9, 9)).trailer();
  const std::string bytes = trace.bytes();
  Trace opened = open_trace(bytes);
  EXPECT_EQ(event_lines(text_of(opened)), kBothEvents);
  EXPECT_EQ(code_of(opened.status()), "newer format");
}

TEST(LaterVersion, OfAnotherHeaderGenerationIsNeverDamage) {
  RawTrace trace = ordinary_trace().events(1, Rows().tick(1, 1)).trailer().insert(newer_block());
  EXPECT_EQ(reading_of(trace), lines({kFirstEvent, "status newer format\n"}));
}

TEST(LaterVersion, MayHaveLongerFixedPartsAndRecords) {
  RawTrace trace;
  trace.session().clock({.id = 1, .hz = 1'000'000'000});
  const auto longer = [&trace](std::uint16_t fixed_size) {  // the last block's fixed part, at its payload's start
    std::string& part = trace.part(trace.size() - 1);
    std::string payload = part.substr(48, header_of(part).payload_size);
    payload.insert(fixed_size, "unknown!");
    payload.replace(0, 2, le16(fixed_size + 8u));
    const std::uint16_t type = header_of(part).type;
    trace.remove(trace.size() - 1);
    trace.block(type, payload).header([&](BlockHeader& h) { h.block_no -= 1; });
  };
  longer(EVT_CLOCK_FIXED_SIZE);
  const std::string bytes = trace.bytes();
  EXPECT_EQ(open_trace(bytes).sessions()[0].clocks.at(0).name, "other");
}

}  // namespace
}  // namespace evt::testing
