// Rows of merged sessions: part by part, and none of two.
#include <gmock/gmock.h>

#include "analyze/scheduling.h"
#include "merged.h"
#include "rows.h"

namespace evt::testing {
namespace {

using ::testing::ElementsAre;

// A thread that runs for 10 ns from this time on, and ends then.
std::string part_that_runs(int thread, int at_ns, const char* uuid) {
  return fmt::format(
      "evtrace text 1\nsession uuid=0x000102030405460788090a0b0c0d0e{} start=1767225600.000000000 program=\"p\"\n{}"
      "stream 1 \"s\"\n0.{:09} 1 thread.run thread={} cpu=0\n0.{:09} 1 thread.exit thread={}\n",
      uuid, kThreadTypes, at_ns, thread, at_ns + 10, thread);
}

std::vector<std::string> rows_of(const std::string& bytes) {
  Trace trace = open_trace(bytes);
  std::vector<std::string> rows;
  for (const view::Track& track : tracks_of(trace, view::Scale(0, 100, 100))) {
    rows.push_back(track.part == Actor::kNone ? track.name : fmt::format("{} of {}", track.name, track.part));
  }
  return rows;
}

TEST(Parts, HaveLanesOfTheirOwn) {
  EXPECT_THAT(rows_of(merged_of({part_that_runs(7, 0, "01"), part_that_runs(8, 50, "02")})),
              ElementsAre("all cpus", "cpu 0 (part 1) of 0", "thread 7 (part 1) of 0", "s of 0", "cpu 0 (part 2) of 1",
                          "thread 8 (part 2) of 1", "s of 1"));
}

TEST(Parts, AreNoneOfAnOrdinarySession) {
  EXPECT_THAT(rows_of(trace_from_text(part_that_runs(7, 0, "01"))), ElementsAre("cpu 0", "thread 7", "s"));
}

}  // namespace
}  // namespace evt::testing
