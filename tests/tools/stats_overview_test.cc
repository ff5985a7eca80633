// evt stats without an analysis: one screen, of which every figure is that of the analysis that it names.
#include <gmock/gmock.h>

#include "analyze/scheduling.h"
#include "at_the_shell.h"

namespace evt::testing {
namespace {

class StatsOverview : public AtTheShell {
 protected:
  // Two threads on two cpus for four seconds: 1 runs for the first three, 2 for the last two. A span, and a counter.
  void given_program(const std::string& name) const {
    given_trace(name, std::string(kThreadTypes) +
                          "type 2024 begin role=spanBegin (thread u64 role=thread) (name text role=name)\n"
                          "type 2025 end role=spanEnd (thread u64 role=thread)\n"
                          "type 2026 queue role=counter (name text role=name) (length u64 role=value)\n"
                          "stream 1 \"x\"\n"
                          "0.0 1 thread.run thread=1 cpu=0\n"
                          "0.0 1 begin thread=1 name=\"sort\"\n"
                          "1.0 1 queue name=\"jobs\" length=7\n"
                          "2.0 1 end thread=1\n"
                          "2.0 1 thread.run thread=2 cpu=1\n"
                          "3.0 1 thread.stop thread=1 reason=blocked object=0\n"
                          "4.0 1 thread.stop thread=2 reason=finished object=0\n");
  }
};

TEST_F(StatsOverview, IsOneScreenWithTheCommandsThatSayMore) {
  given_program("a.evt");
  // Of 30 steps of 2^27 ns: 1.0 is in the 8th, 2.0 in the 15th, 3.0 in the 23rd.
  EXPECT_EQ(run("LC_ALL=C evt stats a.evt | sed 1d"),
            prints("program  test\n"
                   "start    2026-01-01 00:00:00.000000000 UTC\n"
                   "from     0.000000000\n"
                   "to       4.000000000\n"
                   "span     4.00 s\n"
                   "end      closed\n"
                   "events   7\n"
                   "rate     1.75 /s\n"
                   "lost     0\n"
                   "\n"
                   "of        min   max  over time\n"
                   "running  1.00  2.00  ::::::::::::::=#######=:::::::\n"
                   "events      0     2  #......:......#.......:......:\n"
                   "\n"
                   "about        top         figure        value        %  more\n"
                   "parallelism  -           parallelism    1.25        -  evt stats share a.evt\n"
                   "cpu          1           running      3.00 s   75.0 %  evt stats cpu a.evt\n"
                   "waits        1 blocked   waiting      1.00 s        -  evt stats threads a.evt\n"
                   "calls        sort        self         2.00 s  100.0 %  evt stats calls a.evt\n"
                   "spans        sort        sum          2.00 s        -  evt stats spans a.evt\n"
                   "counters     jobs        max               7        -  evt stats counters a.evt\n"
                   "events       thread.run  events            2   28.6 %  evt stats events a.evt\n"));
}

TEST_F(StatsOverview, NamesATraceAsAShellReadsIt) {
  given_program("it's a.evt");
  EXPECT_EQ(run("evt stats \"it's a.evt\" | grep -o 'evt stats cpu .*'"), prints("evt stats cpu 'it'\\''s a.evt'\n"));
}

TEST_F(StatsOverview, OfATraceWithoutThreadsHasWhatThereIs) {
  given_trace("x.evt", "type 1024 tick\nstream 1 \"x\"\n0.0 1 tick\n1.0 1 tick\n");
  EXPECT_EQ(run("LC_ALL=C evt stats x.evt | sed '1,/^lost/d'"),
            prints("\n"
                   "of      min  max  over time\n"
                   "events    0    1  #............................#\n"
                   "\n"
                   "about   top   figure  value        %  more\n"
                   "events  tick  events      2  100.0 %  evt stats events x.evt\n"));
  EXPECT_EQ(run("evt stats --csv --table top x.evt"),
            prints("about,top,figure,value,unit,percent,more\r\nevents,tick,events,2,,100,evt stats events x.evt\r\n"));
}

// Each figure is in the table of its analysis, and what ran over time is the running time of all threads.
constexpr const char* kCompare = R"(
import json, subprocess, sys
def said(*words):
    out = subprocess.run(["evt", "stats", *words, "--json", "-q"], capture_output=True, text=True).stdout
    return json.loads(out)["sessions"]
for file in sys.argv[1:]:
    seen = 0
    for number, session in enumerate(said(file)):
        overview = session["overview"]
        row = overview["overview"]
        assert sum(step["events"] for step in overview["load"]) == row["events"] == session["event_count"], file
        cpu = said("cpu", file)[number]["cpu"]["cpu"]
        ran = sum(step["running"] * (step["to_ns"] - step["from_ns"]) for step in overview["load"])
        # Shares are printed with six digits behind the point.
        assert abs(ran - sum(each["running_ns"] for each in cpu)) <= 1e-6 * row["span_ns"] + 1, (file, ran)
        for top in overview["top"]:
            words = top["more"].split()[2:-1]
            tables = said(*words, file)[number][words[0]]
            rows = [r for t in tables.values() if t for r in (t if isinstance(t, list) else [t]) if isinstance(r, dict)]
            keys = [top["figure"] + end for end in ("", "_ns", "_bytes")]
            assert any(r.get(key) == top["value"] for r in rows for key in keys), (file, top)
            seen += 1
    print(file.split("/")[-1], "has rows" if seen else "has none")
)";

TEST_F(StatsOverview, HasTheFiguresOfTheTables) {
  given_file("compare.py", kCompare);
  given_program("program.evt");
  const std::string archive = EVT_SOURCE_FOLDER "/testdata/";
  ASSERT_EQ(run("shop shop.evt").status, 0);
  std::string files = "program.evt shop.evt";
  std::string compared = "program.evt has rows\nshop.evt has rows\n";
  for (const std::string name : {"eventlog/threads.eventlog", "eventlog/heap.eventlog", "v1/meaning.evt",
                                 "v1/roles_and_units.evt", "v1/lost.evt", "v1/sessions.evt", "future/stacks.evt"}) {
    files += " " + archive + name;
    compared += name.substr(name.find('/') + 1) + " has rows\n";
  }
  EXPECT_EQ(run("python3 compare.py " + files), prints(compared));
}

TEST_F(StatsOverview, OfSampledEventsNamesWhatIsNotComputed) {
  given_program("a.evt");
  ASSERT_EQ(run("evt cut --every 2 a.evt -o s.evt").status, 0);
  EXPECT_EQ(
      run("evt stats s.evt").err,
      "evt stats: s.evt: only the events that sampling kept are counted: it left out all but 1 of 2 events of each "
      "stream and type\n"
      "evt stats: s.evt: cpu, threads, latency, gc, spans, calls, share, usage, locks: not computed, because events "
      "were sampled\n");
}

// A writer's own thread waits most of the time.
TEST_F(StatsOverview, OfAProgramNamesNoThreadOfItsWriter) {
  given_trace("x.evt",
              "type 1024 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
              "type 1025 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason labels=[3=blocked])\n"
              "type 1026 name role=threadName (thread u64 role=thread) (name text role=name)\n"
              "stream 1 \"cpu\"\n"
              "0.000000000 1 name thread=1 name=\"main\"\n"
              "0.000000000 1 name thread=2 name=\"evt-flusher\"\n"
              "0.000000000 1 run thread=2 cpu=1\n"
              "0.001000000 1 stop thread=2 reason=blocked\n"
              "0.001000000 1 run thread=1 cpu=0\n"
              "0.006000000 1 stop thread=1 reason=blocked\n"
              "0.008000000 1 run thread=1 cpu=0\n"
              "0.009000000 1 run thread=2 cpu=1\n");
  EXPECT_EQ(run("evt stats --csv x.evt | grep ^waits").out,
            "waits,1 blocked,waiting,2000000,ns,,evt stats threads x.evt\r\n");
}

TEST_F(StatsOverview, HasNoStretches) {
  given_program("a.evt");
  EXPECT_EQ(run("evt stats --every 1s a.evt"), refuses(2, "evt stats: --every: overview has steps of its own\n"));
}

}  // namespace
}  // namespace evt::testing
