// evt dump of some events: by time, stream, name and value.
#include <evt/trace.h>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

class DumpFilter : public AtTheShell {
 protected:
  DumpFilter() {
    given_trace("x.evt",
                "type 1024 gc.start (heap u64)\n"
                "type 1025 gc.end (took tick_delta)\n"
                "type 1026 io.read (file text) (sizes u32[])\n"
                "stream 1 \"main\"\n"
                "stream 2 \"worker 1\"\n"
                "stream 3 \"worker 2\"\n"
                "0.500000000 1 gc.start heap=100\n"
                "1.000000000 2 gc.start heap=3000\n"
                "1.500000000 1 gc.end took=1.000000000\n"
                "2.000000000 3 io.read file=\"/etc/passwd\" sizes=[1 4096]\n"
                "3.000000000 2 gc.end took=2.000000000\n");
  }

  // Which of the five events are printed, by the numbers of their lines.
  std::string lines_of(const std::string& options) const {
    const Outcome some = run("evt dump x.evt " + options + " > some; evt dump x.evt | grep -nxFf some | cut -d: -f1");
    return some.err + some.out;
  }
};

TEST_F(DumpFilter, ByTimeSinceTheStart) {
  EXPECT_EQ(lines_of("--from 1"), "2\n3\n4\n5\n");
  EXPECT_EQ(lines_of("--from 1000ms --to 1.5s"), "2\n3\n");
  EXPECT_EQ(lines_of("--to 999999999ns"), "1\n");
}

TEST_F(DumpFilter, ByTimeBeforeTheEnd) {
  EXPECT_EQ(lines_of("--from=-1s"), "4\n5\n");
  EXPECT_EQ(lines_of("--from -1500ms --to -500ms"), "3\n4\n");
}

TEST_F(DumpFilter, ByTimeOfDay) {
  EXPECT_EQ(lines_of("--from 2026-01-01T00:00:02Z"), "4\n5\n");
  EXPECT_EQ(lines_of("--from '2026-01-01 00:00:01.5' --to '2026-01-01 00:00:02 UTC'"), "3\n4\n");
  EXPECT_EQ(lines_of("--from 2026-01-02"),
            "evt dump: --from 2026-01-02 is after the end: the trace is from 2026-01-01 00:00:00.000000000 UTC to "
            "2026-01-01 00:00:03.000000000 UTC\n");
}

TEST_F(DumpFilter, ByStream) {
  EXPECT_EQ(lines_of("--stream main"), "1\n3\n");
  EXPECT_EQ(lines_of("--stream 'worker *'"), "2\n4\n5\n");
  EXPECT_EQ(lines_of("--stream '#3' --stream main"), "1\n3\n4\n");
}

TEST_F(DumpFilter, ByName) {
  EXPECT_EQ(lines_of("--event 'gc.*'"), "1\n2\n3\n5\n");
  EXPECT_EQ(lines_of("--event io.read --event gc.end"), "3\n4\n5\n");
}

// The same number is another type in another session, and may be undeclared in a third.
TEST_F(DumpFilter, ByNameInEachSession) {
  given_trace("y.evt",
              "evtrace text 1\n"
              "session start=0.000000000 program=\"first\"\n"
              "type 1024 tick\nstream 1 \"a\"\n0.000000001 1 tick\n0.000000002 1 tick\n"
              "session start=0.000000000 program=\"second\"\n"
              "type 1024 tock\nstream 1 \"a\"\n0.000000003 1 tock\n"
              "session start=0.000000000 program=\"third\"\n"
              "stream 1 \"a\"\n0.000000004 1 type#1024\n"
              "session start=0.000000000 program=\"fourth\"\n"
              "type 1025 tick\nstream 1 \"a\"\n0.000000005 1 tick\n");
  EXPECT_EQ(run("evt dump --csv --event tick y.evt | cut -d, -f1,2,4"),
            prints("session,ns,event\n0,1,tick\n0,2,tick\n3,5,tick\n"));
  EXPECT_EQ(run("evt dump --csv --event tock --event 'type#*' y.evt | cut -d, -f1,2,4"),
            prints("session,ns,event\n1,3,tock\n2,4,type#1024\n"));
}

TEST_F(DumpFilter, ByNameInEachFile) {
  given_trace("y.evt", "type 1025 gc.start\nstream 1 \"a\"\n0.000000007 1 gc.start\n0.000000008 1 type#1024\n");
  EXPECT_EQ(run("evt dump --csv --event gc.start x.evt y.evt | cut -d, -f1,2,4"),
            prints("file,ns,event\nx.evt,500000000,gc.start\nx.evt,1000000000,gc.start\ny.evt,7,gc.start\n"));
}

TEST_F(DumpFilter, ByTheNumberOfATypeThatIsNotDeclared) {
  given_trace("y.evt",
              "stream 1 \"a\"\n"
              "0.000000001 1 type#5000\n0.000000002 1 type#5001\n0.000000003 1 type#5000 +0x01\n"
              "0.000000004 1 !lost count=2 cause=ring_full duration=0.000000000\n");
  EXPECT_EQ(
      run("evt dump --csv --event 'type#5000' y.evt 2>&1 | cut -d, -f1,3"),
      prints("ns,event\n1,type#5000\n3,type#5000\nevt dump: y.evt: 2 events of stream 1 \"a\" lost: ring_full\n"));
  EXPECT_EQ(run("evt dump --csv --event '!l*' y.evt 2>&1 | cut -d, -f1,3"),
            prints("ns,event\n4,!lost\nevt dump: y.evt: 2 events of stream 1 \"a\" lost: ring_full\n"));
}

// More of them than are remembered.
TEST_F(DumpFilter, ByTheNumbersOfVeryManyTypesThatAreNotDeclared) {
  std::string text = "stream 1 \"a\"\n";
  for (int i = 0; i < 10'000; ++i)
    text += "0." + std::to_string(100'000'000 + i) + " 1 type#" + std::to_string(1024 + i / 2) + "\n";
  given_trace("y.evt", text);
  EXPECT_EQ(run("evt dump --count --event 'type#*[02468]' y.evt"), prints("5000\n"));
}

TEST_F(DumpFilter, ByNumber) {
  EXPECT_EQ(lines_of("--where heap=100"), "1\n");
  EXPECT_EQ(lines_of("--where 'heap!=100'"), "2\n");
  EXPECT_EQ(lines_of("--where 'heap>=100'"), "1\n2\n");
  EXPECT_EQ(lines_of("--where 'heap>100.5' --where 'heap<1e4'"), "2\n");
}

TEST_F(DumpFilter, ByTextAndTime) {
  EXPECT_EQ(lines_of("--where file=/etc/passwd"), "4\n");
  EXPECT_EQ(lines_of("--where 'file~/etc/*'"), "4\n");
  EXPECT_EQ(lines_of("--where 'took>1500ms'"), "5\n");
}

TEST_F(DumpFilter, ByOneElementOfASequence) {
  EXPECT_EQ(lines_of("--where 'sizes>4000'"), "4\n");
  EXPECT_EQ(lines_of("--where 'sizes>5000'"), "");
}

TEST_F(DumpFilter, ByAllOfThemTogether) {
  EXPECT_EQ(lines_of("--from 1 --stream 'worker*' --event 'gc.*' --where 'took>=2'"), "5\n");
}

TEST_F(DumpFilter, TakesOneValueSoThatFilesMayFollow) {
  given_trace("y.evt", "type 1024 gc.end (heap u8)\nstream 1 \"main\"\n0.000000001 1 gc.end heap=100\n");
  EXPECT_EQ(run("evt dump --count --event gc.end x.evt y.evt"), prints("2 x.evt\n1 y.evt\n"));
  EXPECT_EQ(run("evt dump --count --stream main x.evt y.evt"), prints("2 x.evt\n1 y.evt\n"));
  EXPECT_EQ(run("evt dump --count --where heap=100 x.evt y.evt"), prints("1 x.evt\n1 y.evt\n"));
}

TEST_F(DumpFilter, CountsAndLimitsWhatItPrints) {
  EXPECT_EQ(run("evt dump --count --event 'gc.*' x.evt"), prints("4\n"));
  EXPECT_EQ(lines_of("--event gc.end --limit 1"), "3\n");
}

TEST_F(DumpFilter, ThatNamesNothingThatExistsSaysSo) {
  EXPECT_EQ(run("evt dump --event 'gc.begin' x.evt"), (Outcome{1, "", "evt dump: no event type is called gc.begin\n"}));
  EXPECT_EQ(run("evt dump --stream 'wroker*' x.evt"), (Outcome{1, "", "evt dump: no stream is called wroker*\n"}));
  EXPECT_EQ(run("evt dump --where 'hep>5' x.evt"),
            refuses(2, "evt dump: --where: column 1 of hep>5: no event has a field hep; did you mean heap?\n"));
  EXPECT_EQ(
      run("evt dump --event 'io.*' --where 'heap>5' x.evt"),
      refuses(2, "evt dump: --where: column 1 of heap>5: only events that --event leaves out have a field heap\n"));
}

TEST_F(DumpFilter, DoesNotMindWhatIsThereAndDidNotHappen) {
  EXPECT_EQ(run("evt dump --from 2 --event gc.start x.evt"), prints(""));
  EXPECT_EQ(run("evt dump --to 0.4 x.evt"), prints(""));
}

TEST_F(DumpFilter, KeepsCanonicalTextReadable) {
  EXPECT_EQ(run("evt dump --canonical --event gc.end --from 2 x.evt > y.txt && evt convert y.txt -o y.evt && "
                "evt dump --csv y.evt"),
            prints("ns,stream,event,took,heap,file,sizes,rest\r\n3000000000,worker 1,gc.end,2000000000,,,,\r\n"));
}

}  // namespace
}  // namespace evt::testing
