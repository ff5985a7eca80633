// `evt check --strict`: what a writer must not write, though a reader can read it.
#include <evt/describe.h>
#include <gtest/gtest.h>

#include <string>

#include "core/raw_trace.h"
#include "support/command.h"
#include "support/folder.h"

namespace evt::testing {
namespace {

// What evt check says of a trace, place and sentence.
std::string breaches_of(const RawTrace& trace) {
  const Folder folder;
  folder.write("t.evt", trace.bytes());
  return run("evt check --strict t.evt 2>&1 >out | sed -n 's/.*: not allowed for writers: //p'", folder.path()).out;
}

TEST(StrictCheck, FindsNothingInWhatTheWriterWrote) {
  const Folder folder;
  EXPECT_EQ(run("for each in appended clock_24_mhz columns columns_jumps gathered gathered_columns index index_chain "
                "index_columns jumps killed_recovered many_blocks real_clock ring_closed time_bases type_grows; do "
                "evt check --strict " EVT_SOURCE_FOLDER "/testdata/v1/$each.evt 2>&1 | grep 'for writers:'; done; true",
                folder.path()),
            (Outcome{0, "", ""}));
}

TEST(StrictCheck, FindsNothingInWhatToolsMake) {
  const Folder folder;
  const std::string archive = EVT_SOURCE_FOLDER "/testdata/";
  EXPECT_EQ(run("(evt cut --from 0 --to 1ms " + archive + "v1/index.evt -o cut.evt; evt convert --columns " + archive +
                    "v1/index.evt -o columns.evt; evt merge " + archive + "future/stacks.evt " + archive +
                    "v1/real_clock.evt -o merged.evt; evt check --repair repaired.evt " + archive +
                    "future/stacks.evt) >out 2>&1; ls *.evt; evt check --strict *.evt 2>&1 | grep 'for writers:'",
                folder.path()),
            (Outcome{1, "columns.evt\ncut.evt\nmerged.evt\nrepaired.evt\n", ""}));
}

TEST(StrictCheck, OfHeaders) {
  EXPECT_EQ(breaches_of(ordinary_trace().events(1, Rows().tick(1, 1)).trailer()), "");
  EXPECT_EQ(breaches_of(ordinary_trace()
                            .header([](BlockHeader& h) { h.flags = EVT_FLAG_MORE | 64; }, 2)
                            .block(12, "x")
                            .block(EVT_BLOCK_PRIVATE, "x")
                            .events(1, Rows().tick(1, 1))
                            .header([](BlockHeader& h) { h.flags |= EVT_FLAG_RECOVERED; })
                            .trailer()),
            "a block of type 3 has the flags 0x60\n"
            "block type 12 is reserved\n"
            "a private block does not begin with the name of its owner\n"
            "a block is flagged recovered and has a number, or has none and is not flagged\n");
}

TEST(StrictCheck, OfFieldsOfATypeAndWhatIsDescribedTooLate) {
  RawTrace trace = ordinary_trace();
  trace.type(1025, "t", {EVT_FIELD_U32("a"), EVT_FIELD_U32("a"), EVT_FIELD_U32("")});
  trace.events(3, Rows().tick(1, 1));
  EXPECT_EQ(breaches_of(trace.trailer()),
            "event type t: two fields are called a\n"
            "event type t: a field has no name\n"
            "stream 3 is used and not described before\n");
}

TEST(StrictCheck, OfSession) {
  RawTrace trace = ordinary_trace();
  std::string payload = trace.part(0).substr(EVT_BLOCK_HEADER_SIZE);
  payload[0] = 'E';
  const std::size_t fixed = session_fixed_at(payload);
  payload[fixed + 4] = 1;          // minor
  payload[fixed + 24 + 6] = 0x10;  // the version of the uuid
  payload[fixed + 60] = 1;         // reserved
  RawTrace other = ordinary_trace(1);
  other.block(EVT_BLOCK_SESSION, payload);
  EXPECT_EQ(breaches_of(other.events(1, Rows().tick(1, 1)).trailer()),
            "SESSION: the first line is not 'evtrace trace, format 1.0, written by PROGRAM; described in "
            "FORMAT.md'\n"
            "SESSION: minor is 1, expected 0\n"
            "SESSION: the uuid is not one of version 4, 7 or 8\n"
            "SESSION: reserved bytes are not 0\n");
}

TEST(StrictCheck, OfRecords) {
  RawTrace trace = ordinary_trace();
  trace.clock({2, 9, 0, 0, 0, 0});
  trace.sync({.clock_id = 1, .flags = 8, .ticks = 1, .ns = 1});
  trace.block(EVT_BLOCK_FACTS,
              le32(1) + le32(40) + le16(1) + le16(8) + le64(0) + le64(0) + le32(0) + le32(1) + "evt.mine");
  EXPECT_EQ(breaches_of(trace.events(1, Rows().tick(1, 1)).trailer()),
            "CLOCK: the kind is not in REGISTRY.md\n"
            "CLOCK: hz is 0\n"
            "SYNC: flags are 0x8, expected only 0x3\n"
            "FACTS: reserved bytes are not 0\n"
            "FACTS: the key evt.mine is not in REGISTRY.md\n"
            "clock 2 can be paired with others, and has no SYNC\n");
}

TEST(StrictCheck, OfWhatFieldsState) {
  evt_field amount = EVT_FIELD_U64("amount");
  amount.role = EVT_ROLE_AMOUNT;
  amount.scale = 3;
  evt_field unit = EVT_FIELD_U64("unit");
  unit.unit = EVT_UNIT_BYTES;
  unit.unit_text = "By";
  evt_field text = EVT_FIELD_TEXT("text");
  text.scale = 2;
  evt_field role = EVT_FIELD_U64("role");
  role.role = 999;
  RawTrace trace = ordinary_trace();
  trace.type(1025, "t", {amount, unit, text, role, EVT_FIELD_OF("kind", 77, EVT_SHAPE_FIXED, 4)});
  trace.type(5, "mine", {});
  EXPECT_EQ(breaches_of(trace.trailer()),
            "TYPES: field text states what does not go with its kind\n"
            "event type t: field amount: it has a scale and is an amount or a limit\n"
            "event type t: field unit: it has a unit by number and one as text\n"
            "event type t: field role: its role is not in REGISTRY.md\n"
            "event type t: field kind: its kind is not in REGISTRY.md\n"
            "event type mine: its number is 5, which REGISTRY.md gives out\n");
}

TEST(StrictCheck, OfRows) {
  RawTrace trace = ordinary_trace();
  trace.declare("type 1025 t (n interned)\n");
  trace.events(1, Rows()
                      .tick(5, 1)
                      .time_base(0, EVT_TIME_BASE_JUMP | 4)
                      .row(2, 1025, le32(9))
                      .row(3, 0, "")
                      .row(4, 1030, "")
                      .row(5, EVT_ROW_PADDING + 9, "")
                      .row(6, EVT_ROW_END, "x")
                      .lost(7, 1, 99, 0, "more"));
  EXPECT_EQ(breaches_of(trace.trailer()),
            "a jump is not in the first row of its block, or is in a piece\n"
            "a TIME_BASE row has flags that are not given out\n"
            "string 9 is used and not described before\n"
            "a row has type 0\n"
            "event type 1030 is used and not described before\n"
            "a row has the reserved type 0xff0b\n"
            "an END row has 1 bytes, expected 0\n"
            "a LOST row has 22 bytes, expected 18\n"
            "a LOST row has the cause 99, which is not in REGISTRY.md\n"
            "a row is earlier than one before it, and the block has not the flag 4\n");
}

TEST(StrictCheck, OfRowsThatSyncDoesNotCount) {
  RawTrace trace = ordinary_trace();
  trace.events(1, Rows().tick(1, 1).tick(2, 2).tick(3, 3));
  trace.sync({.clock_id = 1, .ticks = 4, .ns = 4, .rows_before = 2});
  EXPECT_EQ(breaches_of(trace.trailer()), "SYNC: rows_before is 2, and blocks before it have 3 rows\n");
}

TEST(StrictCheck, OfWhatIsDueBeforeTheEnd) {
  RawTrace trace = ordinary_trace();
  const std::string large(600 << 10, 'x');
  trace.type(1025, "t", {EVT_FIELD_LONG_TEXT("x")});
  trace.index().events(1, Rows().big_row(1, 1025, le32(large.size()) + large));
  EXPECT_EQ(breaches_of(trace.trailer()),
            "metadata is not repeated before TRAILER\nINDEX is not directly before TRAILER\n");
}

}  // namespace
}  // namespace evt::testing
