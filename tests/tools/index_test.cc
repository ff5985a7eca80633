// What the tools make of a trace's index: they show what it counts, and check whether it is so.
#include <gmock/gmock.h>

#include "at_the_shell.h"
#include "blocks.h"

namespace evt::testing {
namespace {

using ::testing::HasSubstr;

class IndexedTrace : public AtTheShell {
 protected:
  // Large enough to have an index: 5000 ticks, each thousandth followed by a tock.
  IndexedTrace() : blocks_(trace_from_text(text())) {}

  static std::string text() {
    std::string text = "type 1024 tick (n u64)\ntype 1025 tock\ntype 1026 never\nstream 1 \"main\"\n";
    for (int i = 1; i <= 5000; ++i) {
      const std::string when = "0." + std::to_string(100'000'000 + i);
      text += when + " 1 tick n=" + std::to_string(i) + "\n";
      if (i % 1000 == 0) text += when + " 1 tock\n";
    }
    return text;
  }
  void given() { given_file("x.evt", blocks_.together()); }
  // Changes bytes of the index; all checksums are right.
  void lie(std::string_view what, std::string_view instead) {
    BlockBytes& index = blocks_.first(EVT_BLOCK_INDEX);
    const std::size_t at = index.bytes.find(what, index.header_size() + std::size_t{EVT_INDEX_FIXED_SIZE});
    ASSERT_NE(at, std::string::npos);
    index.bytes.replace(at, instead.size(), instead);
    index.seal();
    given();
  }

  Blocks blocks_;
};

TEST_F(IndexedTrace, HasItsEventsCountedWithoutReadingThem) {
  given();
  EXPECT_EQ(run("evt dump --types x.evt"), prints("number  name   count  size  fields  description\n"
                                                  "  1024  tick    5000     8  n:u64\n"
                                                  "  1025  tock       5     0\n"
                                                  "  1026  never      0     0\n"));
}

// The events are damaged: whoever reads them reports that.
TEST_F(IndexedTrace, ShowsThatNoEventIsOfAnAnalysisWithoutReadingThem) {
  blocks_.first(EVT_BLOCK_EVENTS).bytes.back() ^= 1;
  given();
  EXPECT_EQ(run("evt stats gc x.evt"),
            (Outcome{1, "", "evt stats: x.evt: no event records a garbage collection (roles gcStart, gcEnd)\n"}));
  EXPECT_EQ(run("evt stats overhead x.evt"),
            (Outcome{1, "",
                     "evt stats: x.evt: no event has role overhead: the tracer's own waits and writes are not known\n"
                     "evt stats: x.evt: the cost of emitting an event is not known: give the option cost, in ns, as "
                     "measured on the same machine\n"}));
  EXPECT_THAT(run("evt stats overhead --cost 20 x.evt").err, HasSubstr("checksum"));
}

TEST_F(IndexedTrace, HasItsStreamsTimed) {
  given();
  EXPECT_EQ(run("evt dump --streams x.evt"),
            prints("stream  name  thread  process  rows  lost        first         last\n"
                   "     1  main       -        -  5005     0  0.100000001  0.100005000\n"));
}

TEST_F(IndexedTrace, IsChecked) {
  given();
  EXPECT_EQ(run("evt check x.evt"), prints("x.evt: session of test, 5005 events, 0 lost: closed\n"));
}

TEST_F(IndexedTrace, WithOtherCountsIsFoundByCheck) {
  lie("\x80\x10", "\x84\x10");  // tick is counted as never
  const Outcome outcome = run("evt check x.evt");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr(": by the index there are 930 events of type 1024, there are 5000\n"));
}

TEST_F(IndexedTrace, AboutAnotherStreamIsReportedAlike) {
  const std::string trace = EVT_SOURCE_FOLDER "/testdata/damaged/index_of_another_stream.evt";
  const std::string what = trace + ": at 864: the index and the header of these rows differ\n";
  EXPECT_EQ(run("evt dump --count " + trace), (Outcome{1, "4\n", "evt dump: " + what}));
  EXPECT_EQ(run("evt check " + trace),
            (Outcome{1, trace + ": session of test, 4 events, 0 lost: closed\n", "evt check: " + what}));
}

TEST_F(IndexedTrace, ThatContradictsTheBlocksIsSaid) {
  BlockBytes& index = blocks_.first(EVT_BLOCK_INDEX);
  std::uint8_t* const entry_count = index.payload() + 4;
  evt_store_u32(entry_count, evt_load_u32(entry_count) - 1);
  index.seal();
  given();
  const Outcome checked = run("evt check x.evt");
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.err, HasSubstr("an INDEX block describes"));
  const Outcome dumped = run("evt dump x.evt");
  EXPECT_EQ(dumped.status, 1);
  EXPECT_THAT(dumped.err, HasSubstr("the index is not used: an INDEX block describes"));
  EXPECT_EQ(std::count(dumped.out.begin(), dumped.out.end(), '\n'), 5005);
}

}  // namespace
}  // namespace evt::testing
