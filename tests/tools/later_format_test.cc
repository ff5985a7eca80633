// Traces of a later format: what this version knows is shown, and the rest is called by its name.
#include <gmock/gmock.h>

#include "at_the_shell.h"
#include "blocks.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kTwoTicks =
    "type 1024 tick (n u8)\n"
    "stream 1 \"main\"\n"
    "0.000000001 1 tick n=1\n"
    "0.000000002 1 tick n=2\n";

constexpr const char* kTwoLines =
    "   0.000000001  main  tick n=1\n"
    "   0.000000002  main  tick n=2\n";

constexpr std::uint16_t kUnknownBlock = 77;

class LaterFormat : public AtTheShell {
 protected:
  LaterFormat() : blocks_(trace_from_text(kTwoTicks)) {}

  Outcome dump_of(const std::string& trace) const {
    given_file("x.evt", trace);
    return run("evt dump x.evt");
  }
  // Has it that all is printed and nothing reported.
  void expect_all_is_read() { EXPECT_EQ(dump_of(blocks_.together()), prints(kTwoLines)); }
  // Has it that this is printed, with status 1 and this sentence.
  void expect_partly(const std::string& out, const std::string& sentence) {
    const Outcome outcome = dump_of(blocks_.together());
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, out);
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
  }

  Blocks blocks_;
};

// Another session, that this version can read.
std::string known_session() {
  return trace_from_text(
      "evtrace text 1\n"
      "session uuid=0x100102030405460788090a0b0c0d0e1f start=1767225600.000000000 program=\"known\"\n"
      "type 1024 tock\n"
      "stream 1 \"main\"\n"
      "0.000000003 1 tock\n");
}

constexpr const char* kKnownSession =
    "# session of known, 2026-01-01 00:00:00.000000000 UTC\n"
    "   0.000000003  main  tock\n";

TEST_F(LaterFormat, BlocksTakenApartAndPutTogetherAreTheSameTrace) {
  EXPECT_EQ(blocks_.together(), trace_from_text(kTwoTicks));
}

TEST_F(LaterFormat, ABlockOfAnUnknownTypeIsSkipped) {
  blocks_.insert_before(EVT_BLOCK_EVENTS, make_block(kUnknownBlock, "what is this?"));
  blocks_.insert_before(EVT_BLOCK_TRAILER, make_block(EVT_BLOCK_INDEX, ""));
  expect_all_is_read();
  EXPECT_EQ(run("cat x.evt | evt dump -"), prints(kTwoLines));
}

TEST_F(LaterFormat, ABlockOfAProducersOwnIsSkipped) {
  blocks_.insert_before(EVT_BLOCK_TYPES, make_block(EVT_BLOCK_PRIVATE, "mine"));
  blocks_.insert_before(EVT_BLOCK_TRAILER, make_block(0xFFFF, std::string(1 << 20, 'x')));
  expect_all_is_read();
}

TEST_F(LaterFormat, ABlockThatMustBeUnderstoodIsSkippedAndSaid) {
  BlockBytes block = make_block(kUnknownBlock, "mind this");
  block.data()[15] = 1;
  blocks_.insert_before(EVT_BLOCK_EVENTS, block);
  EXPECT_EQ(dump_of(blocks_.together()),
            (Outcome{1, kTwoLines, "evt dump: x.evt: 1 block that must be understood is unknown to this version\n"}));
}

TEST_F(LaterFormat, ABlockOfAKnownTypeThatMustBeUnderstoodInANewWayIsSkippedAndSaid) {
  blocks_.first(EVT_BLOCK_EVENTS).data()[15] = 64;
  expect_partly("", "that must be understood");
}

TEST_F(LaterFormat, ABlockCanEndTheReadingOfItsSession) {
  BlockBytes block = make_block(kUnknownBlock, "all is different from here on");
  block.data()[15] = EVT_MUST_END_SESSION;
  blocks_.insert_before(EVT_BLOCK_EVENTS, block);
  expect_partly("", "that must be understood");
}

TEST_F(LaterFormat, ReadingGoesOnWithTheSessionBehindOneThatEnded) {
  BlockBytes block = make_block(kUnknownBlock, "all is different from here on");
  block.data()[15] = EVT_MUST_END_SESSION;
  blocks_.insert_before(EVT_BLOCK_EVENTS, block);
  const Outcome outcome = dump_of(blocks_.together() + known_session());
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, kKnownSession);
  EXPECT_THAT(outcome.err, HasSubstr("that must be understood"));
}

TEST_F(LaterFormat, ASessionThatIsNotReadOnIsNotSaidToBeCut) {
  BlockBytes block = make_block(kUnknownBlock, "all is different from here on");
  block.data()[15] = EVT_MUST_END_SESSION;
  blocks_.insert_before(EVT_BLOCK_EVENTS, block);
  EXPECT_EQ(dump_of(blocks_.together()), refuses(1,
                                                 "evt dump: x.evt: 1 block that must be understood is unknown to "
                                                 "this version: the session is not read on\n"));
  EXPECT_THAT(run("evt dump --header x.evt").out, HasSubstr("\nend       unknown\n"));
}

TEST_F(LaterFormat, RowsOfAnUnknownCodecAreCounted) {
  blocks_.first(EVT_BLOCK_EVENTS).data()[14] = 9;
  expect_partly("", "evt dump: x.evt: 2 rows are stored in a way that is not known to this version\n");
}

TEST_F(LaterFormat, RowsOfAnUnknownLayoutAreCounted) {
  blocks_.first(EVT_BLOCK_EVENTS).data()[52] = 9;
  expect_partly("", "evt dump: x.evt: 2 rows are stored in a way that is not known to this version\n");
}

TEST_F(LaterFormat, TypesOfAnUnknownCodecLeaveTheirNumbers) {
  blocks_.first(EVT_BLOCK_TYPES).data()[14] = 9;
  expect_partly(
      "   0.000000001  main  type#1024 +0x01\n"
      "   0.000000002  main  type#1024 +0x02\n",
      "evt dump: x.evt: ");
}

TEST_F(LaterFormat, FlagsMinorVersionsAndCompatibleFeaturesDoNotMatter) {
  // All but those that must be heeded.
  const std::uint16_t flags = 0xFFFF & ~(EVT_FLAG_CONTINUED | EVT_FLAG_MORE);
  for (BlockBytes& block : blocks_.all) evt_store_u16(block.data() + 10, flags);
  std::uint8_t* const facts = session_fixed_part(blocks_.first(EVT_BLOCK_SESSION));
  evt_store_u16(facts + 4, 7);
  evt_store_u64(facts + 16, UINT64_MAX);
  expect_all_is_read();
  EXPECT_THAT(run("evt dump --header x.evt").out, HasSubstr("\nformat    1.7\n"));
}

TEST_F(LaterFormat, ALargerMajorVersionIsNotRead) {
  evt_store_u16(session_fixed_part(blocks_.first(EVT_BLOCK_SESSION)) + 2, 2);
  const Outcome outcome = dump_of(blocks_.together());
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("was written in format 2.0, newer than " EVT_FORMAT_NAME "\n"));
  const Outcome converted = run("evt convert x.evt -o y.txt");
  EXPECT_EQ(converted.status, 3);
  EXPECT_EQ(files(), std::vector<std::string>{"x.evt"});
}

TEST_F(LaterFormat, AnIncompatibleFeatureIsAsALargerMajorVersion) {
  evt_store_u64(session_fixed_part(blocks_.first(EVT_BLOCK_SESSION)) + 8, 4);
  EXPECT_EQ(dump_of(blocks_.together()),
            refuses(3, "evt dump: x.evt uses features of a later format than " EVT_FORMAT_NAME "\n"));
}

TEST_F(LaterFormat, TheFileThatIsNewerIsNamed) {
  evt_store_u16(session_fixed_part(blocks_.first(EVT_BLOCK_SESSION)) + 2, 2);
  const std::string newer = " was written in format 2.0, newer than " EVT_FORMAT_NAME "\n";
  EXPECT_EQ(dump_of(blocks_.together()), refuses(3, "evt dump: x.evt" + newer));
  EXPECT_EQ(run("evt dump - < x.evt"), refuses(3, "evt dump: standard input" + newer));
  EXPECT_EQ(run("cat x.evt | evt convert -"), refuses(3, "evt convert: standard input" + newer));
}

TEST_F(LaterFormat, AFileThatNamesNoSessionIsNamedItself) {
  EXPECT_EQ(dump_of(blocks_.first(EVT_BLOCK_CLOCK).bytes),
            refuses(3, "evt dump: x.evt: the SESSION block is missing: who was recorded is not known\n"));
}

TEST_F(LaterFormat, ASessionOfALargerMajorVersionDoesNotHideAnother) {
  evt_store_u16(session_fixed_part(blocks_.first(EVT_BLOCK_SESSION)) + 2, 2);
  const std::string of_known = "   0.000000003  main  tock\n";  // the one session of the dump
  const Outcome expected = {1, of_known,
                            "evt dump: x.evt: a session was written in format 2.0, newer than " EVT_FORMAT_NAME "\n"};
  EXPECT_EQ(dump_of(blocks_.together() + known_session()), expected);
  const Outcome behind = dump_of(known_session() + blocks_.together());
  EXPECT_EQ(behind.status, 1);
  EXPECT_EQ(behind.out, of_known);
  EXPECT_EQ(behind.err, expected.err);
}

// A trace all of whose headers have another fourth byte in their magic.
TEST_F(LaterFormat, ANewGenerationOfHeadersIsCalledNewer) {
  std::string newer;
  for (BlockBytes& block : blocks_.all) {
    block.bytes[EVT_MAGIC_GENERATION_AT] = 'U';
    newer += block.bytes;
  }
  EXPECT_EQ(dump_of(newer), refuses(3, "evt dump: x.evt was written in a newer format than this program knows (" +
                                           std::string(EVT_FORMAT_NAME) + ")\n"));
}

TEST_F(LaterFormat, AFirstBlockOfANewGenerationIsCalledNewerAndTheRestIsRead) {
  std::string trace = blocks_.together();
  trace[EVT_MAGIC_GENERATION_AT] = 'U';
  const Outcome outcome = dump_of(trace);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, kTwoLines);
  EXPECT_THAT(outcome.err, HasSubstr("newer"));
}

TEST_F(LaterFormat, ABlockOfANewGenerationIsNeverDamage) {
  std::string trace = blocks_.together();
  trace[EVT_MAGIC_GENERATION_AT] = 'U';
  const Trace read = open_trace(trace);
  EXPECT_EQ(read.status().code(), Code::kNewerFormat) << read.status().message();
}

TEST_F(LaterFormat, ALongerHeaderIsSteppedOver) {
  BlockBytes& events = blocks_.first(EVT_BLOCK_EVENTS);
  events.bytes.insert(EVT_EVENTS_HEADER_SIZE, std::string(16, '\x55'));
  evt_store_u16(events.data() + 12, EVT_EVENTS_HEADER_SIZE + 16);
  expect_all_is_read();
}

}  // namespace
}  // namespace evt::testing
