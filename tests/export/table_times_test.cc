// UTC in tables where it was stepped while the trace was recorded.
#include <array>

#include "core/raw_trace.h"
#include "table_lines.h"

namespace evt::testing {
namespace {

constexpr std::int64_t kSessionStart = 1767225600'000'000'000;

// At 1000 ns UTC is an hour ahead of where it was.
RawTrace stepped_trace() {
  SyncRecord step;
  step.clock_id = 1;
  step.ticks = step.ns = 1000;
  step.utc_ns = kSessionStart + 3'600'000'000'000 + 1000;
  RawTrace raw;
  raw.session().clock({1, EVT_CLOCK_OTHER, 1'000'000'000, 0, 0});
  raw.declare(
      "type 1024 mark role=mark\n"
      "type 1025 begin role=spanBegin\n"
      "type 1026 end role=spanEnd\n"
      "type 1027 run role=threadRun (thread u32 role=thread)\n"
      "type 1028 whole role=span (duration u32 role=duration unit=nanoseconds)\n"
      "stream 1 \"a\" thread=7\n");
  raw.events(1, Rows()
                    .row(100, 1024, "")
                    .row(200, 1025, "")
                    .row(300, 1027, le32(7))
                    .lost(400, 2, 1, 100)
                    .row(1500, 1024, "")
                    .row(1600, 1026, "")
                    .row(1700, 1028, le32(800))
                    .row(1800, 1027, le32(8)));
  return raw.sync(step).trailer();
}

class TimesOfTables : public ::testing::Test {
 protected:
  std::string lines(const std::string& table) { return lines_of(Tables(traces_), table); }

 private:
  const std::string bytes_ = stepped_trace().bytes();
  Trace trace_ = open_trace(bytes_);
  const std::array<Trace*, 1> traces_ = {&trace_};
};

// As `evt dump --utc` has them.
TEST_F(TimesOfTables, OfEventsGoByTheClock) {
  EXPECT_EQ(lines("mark"),
            "time ns stream stream_thread\n"
            "@1767225600000000100 100 1 7\n"
            "@1767229200000001500 1500 1 7\n");
}

TEST_F(TimesOfTables, OfMarksAreThoseOfTheirEvents) {
  EXPECT_EQ(lines("marks"),
            "stream part thread thread_name type time ns message\n"
            "1 - 7 a mark @1767225600000000100 100 -\n"
            "1 - 7 a mark @1767229200000001500 1500 -\n");
}

// Of a span its begin, whatever UTC was when it ended.
TEST_F(TimesOfTables, OfSpansAreWhenTheyBegan) {
  EXPECT_EQ(lines("spans"),
            "id parent depth kind name stream part thread thread_name time begin_ns end_ns duration_ns self_ns outcome "
            "uncertain thread_created_ns\n"
            "1 - 0 span begin 1 - 7 a @1767225600000000200 200 1600 1400 700 ended yes -\n"
            "2 - 0 span whole 1 - 7 a @1767225600000000900 900 1700 800 800 ended no -\n");
}

TEST_F(TimesOfTables, OfStatesAreWhenTheyBegan) {
  EXPECT_EQ(lines("thread_states"),
            "part thread thread_name state cpu reason time from_ns to_ns open uncertain_ns thread_created_ns\n"
            "- 7 a unknown - - @1767225600000000200 200 300 no 0 -\n"
            "- 7 a running a - @1767225600000000300 300 1800 no 1500 -\n"
            "- 7 a runnable - - @1767229200000001800 1800 1800 yes 0 -\n"
            "- 8 - running a - @1767229200000001800 1800 1800 yes 0 -\n");
}

TEST_F(TimesOfTables, OfLossesAreWhenTheFirstWas) {
  EXPECT_EQ(lines("lost"),
            "stream cause events time from_ns to_ns\n"
            "1 ring_full 2 @1767225600000000300 300 400\n");
}

}  // namespace
}  // namespace evt::testing
