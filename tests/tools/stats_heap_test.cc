// evt stats heap: heap profiles of GHC. The figures are computed by hand; those of a log of GHC by a naive model.
#include "at_the_shell.h"
#include "import/ghc_log.h"

namespace evt::testing {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

class StatsHeap : public AtTheShell {
 protected:
  static GhcLog log_of(std::uint64_t breakdown) {
    GhcLog log;
    log.usual_types()
        .type(160, GhcLog::kVariable, "Start of heap profile")
        .type(161, GhcLog::kVariable, "Cost-centre definition")
        .type(162, 8, "Start of heap profile sample")
        .type(163, GhcLog::kVariable, "Heap profile cost-centre sample")
        .type(164, GhcLog::kVariable, "Heap profile string sample")
        .type(165, 8, "End of heap profile sample")
        .type(169, GhcLog::kVariable, "Info Table Source Position");
    log.block(GhcLog::kGlobal);
    log.event(160, 0, BigEndian().u8(0).u64(100).u32(breakdown).text(std::string(7, '\0')));
    return log;
  }
  static void begin(GhcLog* log, std::uint64_t ns) { log->event(162, ns, BigEndian().u64(0)); }
  static void end(GhcLog* log, std::uint64_t ns) { log->event(165, ns, BigEndian().u64(0)); }
  static void sample(GhcLog* log, std::uint64_t ns, const std::string& name, std::uint64_t bytes) {
    log->event(164, ns, BigEndian().u8(0).u64(bytes).text(name + '\0'));
  }
};

// Samples at 1 s, 2 s and 4 s of a run of 5 s: Int has 100, 300 and 200 bytes; Map 50 in the second alone.
TEST_F(StatsHeap, ASampleHoldsUntilTheNextOne) {
  GhcLog log = log_of(7);
  begin(&log, 1 * kSecond);
  sample(&log, 1 * kSecond, "Int", 100);
  end(&log, 1 * kSecond);
  begin(&log, 2 * kSecond);
  sample(&log, 2 * kSecond, "Int", 300);
  sample(&log, 2 * kSecond, "Map", 50);
  end(&log, 2 * kSecond);
  begin(&log, 4 * kSecond);
  sample(&log, 4 * kSecond, "Int", 200);
  end(&log, 4 * kSecond);
  given_file("a.eventlog", log.run(5 * kSecond, 1).end().bytes());
  EXPECT_EQ(run("evt stats heap a.eventlog"), prints("name  by            samples    min   mean    max   last\n"
                                                     "Int   closure type        3  100 B  225 B  300 B  200 B\n"
                                                     "Map   closure type        1    0 B   25 B   50 B    0 B\n"));
  EXPECT_EQ(run("evt stats heap --from 3 --to 3.5 a.eventlog"),
            prints("name  by            samples    min   mean    max   last\n"
                   "Int   closure type        0  300 B  300 B  300 B  300 B\n"
                   "Map   closure type        0   50 B   50 B   50 B   50 B\n"));
}

TEST_F(StatsHeap, ACostCentreIsTheInnermostOfItsStack) {
  GhcLog log = log_of(1);
  const auto centre = [&](std::uint32_t id, const std::string& label) {
    log.event(161, 1, BigEndian().u32(id).text(label + '\0' + "Main" + '\0' + "a.hs:1" + '\0').u8(0));
  };
  centre(1, "main");
  centre(2, "parse");
  begin(&log, kSecond);
  log.event(163, kSecond, BigEndian().u8(0).u64(1000).u8(2).u32(2).u32(1));
  log.event(163, kSecond, BigEndian().u8(0).u64(500).u8(1).u32(2));
  log.event(163, kSecond, BigEndian().u8(0).u64(70).u8(1).u32(1));
  log.event(163, kSecond, BigEndian().u8(0).u64(8).u8(0));
  end(&log, kSecond);
  given_file("a.eventlog", log.end().bytes());
  EXPECT_EQ(run("evt stats heap --columns max a.eventlog"), prints("name        by               max\n"
                                                                   "Main.parse  cost centre  1.50 kB\n"
                                                                   "Main.main   cost centre     70 B\n"
                                                                   "MAIN        cost centre      8 B\n"));
}

TEST_F(StatsHeap, AnInfoTableIsAPlaceInTheSource) {
  GhcLog log = log_of(8);
  begin(&log, kSecond);
  sample(&log, kSecond, "0x4a3f58", 64);
  sample(&log, kSecond, "0x1", 8);
  end(&log, kSecond);
  log.event(169, kSecond, BigEndian().u64(0x4a3f58).text(std::string("t\0c\0ty\0go\0Data.Map\0Map.hs:7:1\0", 30)));
  given_file("a.eventlog", log.end().bytes());
  EXPECT_EQ(run("evt stats heap --columns max a.eventlog"), prints("name                      by           max\n"
                                                                   "Data.Map.go (Map.hs:7:1)  info table  64 B\n"
                                                                   "0x1                       info table   8 B\n"));
}

// The program was killed while it wrote a sample.
TEST_F(StatsHeap, ASampleWithoutItsEndIsNone) {
  GhcLog log = log_of(7);
  begin(&log, 1 * kSecond);
  sample(&log, 1 * kSecond, "Int", 100);
  end(&log, 1 * kSecond);
  begin(&log, 2 * kSecond);
  sample(&log, 2 * kSecond, "Map", 5000);
  given_file("a.eventlog", log.end().bytes());
  EXPECT_EQ(run("evt stats heap --columns max a.eventlog"), prints("name  by              max\n"
                                                                   "Int   closure type  100 B\n"));
}

constexpr const char* kModel = R"(
import collections, json, subprocess, sys
lines = subprocess.run(["evt", "dump", "--json", sys.argv[1]], capture_output=True, text=True).stdout.splitlines()
events = [json.loads(line) for line in lines]
samples = []
for event in events:
    if event["event"] == "ghc.heap_prof_sample_begin":
        samples.append((event["ns"], collections.Counter()))
    if event["event"] == "ghc.heap_prof_sample_string":
        samples[-1][1][event["fields"]["label"]] += event["fields"]["residency"]
ends = [ns for ns, _ in samples[1:]] + [events[-1]["ns"]]
wanted = {}
for name in {name for _, sample in samples for name in sample}:
    values = [sample[name] for _, sample in samples]
    area = sum(value * (end - ns) for (ns, _), end, value in zip(samples, ends, values))
    wanted[name] = (min(values), area / (ends[-1] - samples[0][0]), max(values), values[-1])
said = json.loads(subprocess.run(["evt", "stats", "heap", "--json", sys.argv[1]], capture_output=True, text=True).stdout)
rows = said["sessions"][0]["heap"]["heap"]
assert len(rows) == len(wanted) > 30
for row in rows:
    least, mean, most, last = wanted[row["name"]]
    assert (row["min_bytes"], row["max_bytes"], row["last_bytes"]) == (least, most, last), row
    assert abs(row["mean_bytes"] - mean) <= 0.51, (row, mean)
print("equal")
)";

TEST_F(StatsHeap, OfALogOfGhcIsThatOfANaiveModel) {
  given_file("model.py", kModel);
  EXPECT_EQ(run("python3 model.py " EVT_SOURCE_FOLDER "/testdata/eventlog/heap.eventlog"), prints("equal\n"));
}

TEST_F(StatsHeap, ThatNoEventHasIsMissing) {
  given_trace("x.evt", "type 1024 tick\nstream 1 \"x\"\n0.0 1 tick\n");
  EXPECT_EQ(run("evt stats heap x.evt"),
            (Outcome{1, "",
                     "evt stats: x.evt: no event belongs to a heap profile (ghc.heap_prof_sample_string ...): run the "
                     "program with +RTS -l -hT\n"}));
}

}  // namespace
}  // namespace evt::testing
