// evt stats ANALYSIS --help: its options alone, its columns, and an example that is true.
#include <fmt/core.h>

#include <sstream>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

// A server: one thread accepts, another answers two requests with a file; a collection, and a flush of the tracer.
constexpr std::string_view kServer =
    R"(evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="server"
type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum8 role=reason labels=[0=preempted 1=blocked 2=finished])
type 6 thread.name role=threadName (thread u64 role=thread) (name text role=name)
type 21 gc.start role=gcStart (generation u16 role=generation)
type 22 gc.end role=gcEnd
type 1024 request role=spanBegin (thread u64 role=thread) (name text role=name)
type 1025 done role=spanEnd (thread u64 role=thread)
type 1026 call role=call (thread u64 role=thread) (function text role=function) (file u64 role=object) (kind text role=resource) (bytes u64 role=amount) (took u64 role=duration unit=nanoseconds)
type 1027 open role=objectOpen (file u64 role=object) (kind text role=resource)
type 1028 file.name role=objectName (file u64 role=object) (name text role=name)
type 1029 flush role=overhead (why text role=reason) (took u64 role=duration unit=nanoseconds)
stream 1 "server"
0.000000000 1 thread.name thread=1 name="accept"
0.000000000 1 thread.name thread=2 name="worker"
0.000000000 1 thread.run thread=1 cpu=0
0.000200000 1 open file=3 kind="disk"
0.000200000 1 file.name file=3 name="index.html"
0.001000000 1 thread.run thread=2 cpu=1
0.001000000 1 request thread=2 name="GET /"
0.002000000 1 thread.stop thread=1 reason=blocked
0.003000000 1 call thread=2 function="read" file=3 kind="disk" bytes=65536 took=1500000
0.004000000 1 done thread=2
0.004000000 1 gc.start generation=0
0.004500000 1 gc.end
0.005000000 1 request thread=2 name="GET /"
0.007000000 1 call thread=2 function="read" file=3 kind="disk" bytes=65536 took=1000000
0.008000000 1 done thread=2
0.008000000 1 thread.stop thread=2 reason=finished
0.009000000 1 flush why="flush" took=50000
0.009000000 1 thread.run thread=1 cpu=0
0.010000000 1 thread.stop thread=1 reason=blocked
)";

// A second of it in which it was stopped.
constexpr std::string_view kStopped =
    R"(evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="server"
type 20 process.stopped role=stopped (duration tick_delta role=duration)
type 1024 run.process_stopped role=stopped (reason text role=reason) (duration tick_delta role=duration)
type 1025 tick
stream 1 "server"
0.000000000 1 tick
2.500000000 1 run.process_stopped reason="signal" duration=1.0
3.750000000 1 process.stopped duration=0.25
5.000000000 1 tick
)";

// A worker of it, whose calls were counted.
constexpr std::string_view kCounted =
    R"(evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="server"
type 1024 counts role=callCounts (thread u64 role=thread) (function text role=function) (library text role=resource) (caller text role=caller) (calls u64 role=value) (returned u64) (total u64 role=duration unit=nanoseconds) (shortest u64 unit=nanoseconds) (longest u64 unit=nanoseconds) (lengths u64[] unit=nanoseconds) (times u64[])
stream 1 "server"
0.010000000 1 counts thread=2 function="crc32" library="libz.so.1" caller="server" calls=120 returned=119 total=480000 shortest=1000 longest=9000 lengths=[4000 8000] times=[110 9]
)";

// Samples of its worker.
constexpr std::string_view kSampled =
    R"(evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="server"
type 1024 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) (weight u64 role=weight unit=nanoseconds)
stream 1 "server"
0.001000000 1 sample thread=2 stack=["parse" "serve" "main"] weight=1000000
0.002000000 1 sample thread=2 stack=["parse" "serve" "main"] weight=1000000
0.003000000 1 sample thread=2 stack=["send" "serve" "main"] weight=1000000
0.004000000 1 sample thread=2 stack=["serve" "main"] weight=1000000
)";

const std::vector<std::string> kAnalyses = {"overview", "summary", "cpu",      "threads", "latency",  "gc",
                                            "spans",    "calls",   "stacks",   "counts",  "share",    "usage",
                                            "locks",    "stops",   "counters", "heap",    "overhead", "events"};

// Two of its workers wait for a lock of a third.
constexpr std::string_view kLocked =
    R"(evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="server"
type 1024 call role=callBegin (function text role=function) (object u64 role=object) (kind text role=resource)
type 1025 back role=callEnd
type 1026 name role=objectName (object u64 role=object) (name text role=name)
type 1027 release role=lockRelease (object u64 role=object)
stream 1 "worker 1" thread=1
stream 2 "worker 2" thread=2
stream 3 "worker 3" thread=3
0.000000000 1 name object=7 name="cache"
0.000000000 1 name object=8 name="disk.db"
0.001000000 1 call function="read" object=8 kind="file"
0.002000000 2 call function="lock" object=7 kind="lock"
0.003000000 3 call function="lock" object=7 kind="lock"
0.004000000 1 back
0.005000000 1 release object=7
0.005000000 2 back
0.006000000 2 release object=7
0.006000000 3 back
)";

// Its queue.
constexpr std::string_view kQueue =
    R"(evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="server"
type 1024 queue role=counter (name text role=name) (length u64 role=value)
type 1025 served role=counterTotal (name text role=name) (requests u64 role=value)
stream 1 "server"
0.000000000 1 queue name="waiting" length=4
0.000000000 1 served name="served" requests=0
2.000000000 1 queue name="waiting" length=12
3.000000000 1 queue name="waiting" length=0
4.000000000 1 served name="served" requests=640
)";

// Its worker, which is woken and preempted.
constexpr std::string_view kWoken =
    R"(evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="server"
type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum8 role=reason labels=[0=preempted 1=blocked])
type 6 thread.wake role=threadWake (thread u64 role=thread)
stream 1 "server"
0.001000000 1 thread.wake thread=2
0.001050000 1 thread.run thread=2 cpu=1
0.003000000 1 thread.stop thread=2 reason=preempted
0.004000000 1 thread.run thread=2 cpu=1
0.005000000 1 thread.stop thread=2 reason=blocked
)";

// Its heap, by type.
constexpr std::string_view kHeap =
    R"(evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="server"
type 1024 ghc.heap_prof_sample_begin (era u64)
type 1025 ghc.heap_prof_sample_string (profile u8) (residency u64 unit=bytes) (label text role=name)
type 1026 ghc.heap_prof_sample_end (era u64)
type 1027 tick
stream 1 "server"
1.000000000 1 ghc.heap_prof_sample_begin era=0
1.000000000 1 ghc.heap_prof_sample_string profile=0 residency=4000 label="Request"
1.000000000 1 ghc.heap_prof_sample_string profile=0 residency=120 label="Map"
1.000000000 1 ghc.heap_prof_sample_end era=0
2.000000000 1 ghc.heap_prof_sample_begin era=0
2.000000000 1 ghc.heap_prof_sample_string profile=0 residency=16000 label="Request"
2.000000000 1 ghc.heap_prof_sample_end era=0
3.000000000 1 tick
)";

class StatsHelp : public AtTheShell {
 protected:
  void given_traces() const {
    given_trace("app.evt", kServer);
    given_trace("stopped.evt", kStopped);
    given_trace("counted.evt", kCounted);
    given_trace("sampled.evt", kSampled);
    given_trace("queue.evt", kQueue);
    given_trace("woken.evt", kWoken);
    given_trace("heap.evt", kHeap);
    given_trace("locked.evt", kLocked);
  }
  std::string help_of(const std::string& analysis) const {
    const Outcome help = run("evt stats " + analysis + " --help");
    EXPECT_EQ(help.status, 0) << help;
    return help.out.substr(0, help.out.find("\nExit status"));
  }
  // Behind "Example:", without the two columns on the left.
  struct Example {
    std::string command;
    std::string output;
  };
  static Example example_in(const std::string& help) {
    std::istringstream lines(help.substr(help.find("Example:\n") + 9));
    Example example;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  $ ")) {
        example.command = line.substr(4);
      } else {
        example.output += (line.empty() ? "" : line.substr(2)) + "\n";
      }
    }
    return example;
  }
};

TEST_F(StatsHelp, HasAnExampleThatIsTrue) {
  given_traces();
  for (const std::string& analysis : kAnalyses) {
    const Example example = example_in(help_of(analysis));
    EXPECT_NE(example.command.find(" " + analysis + " "), std::string::npos) << example.command;
    EXPECT_EQ(run(example.command + " 2>/dev/null | sed 's/ *$//'").out, example.output) << analysis;
  }
}

// In CSV columns have their units: running_ns, rate_per_second.
std::string as_people_read(std::string column) {
  if (column.ends_with('\r')) column.pop_back();
  for (const std::string_view unit : {"_ns", "_percent", "_per_second", "_bytes"}) {
    if (column.ends_with(unit)) column.resize(column.size() - unit.size());
  }
  std::replace(column.begin(), column.end(), '_', ' ');
  if (column == "self reported") return "self-reported";
  return column == "percent" ? "%" : column;
}

TEST_F(StatsHelp, ExplainsTheColumnsOfEveryTable) {
  given_traces();
  for (const std::string& analysis : kAnalyses) {
    const std::string help = help_of(analysis);
    const std::string explained = help.substr(help.find("\nUsage:"));
    const std::string trace = analysis == "stops" ? "stopped.evt" : "app.evt";
    std::istringstream tables(run("evt stats " + analysis + " --csv --cost 25 " + trace + " 2>/dev/null || evt stats " +
                                  analysis + " --csv " + trace + " 2>/dev/null")
                                  .out);
    bool is_head = true;
    for (std::string line; std::getline(tables, line); is_head = line.empty()) {
      if (!is_head) continue;
      std::istringstream columns(line);
      for (std::string column; std::getline(columns, column, ',');) {
        column = as_people_read(column);
        EXPECT_NE(explained.find("\n  " + column + " "), std::string::npos) << analysis << ": " << column;
      }
    }
  }
}

TEST_F(StatsHelp, ListsTheOptionsOfTheAnalysisAlone) {
  const std::string cpu = help_of("cpu");
  EXPECT_NE(cpu.find("--by thread|cpu|thread,cpu|cpu,thread"), std::string::npos);
  EXPECT_NE(cpu.find("--every TIME"), std::string::npos);
  for (const char* const other : {"--limit", "--model", "--subtract", "--cost", "--fail-above"}) {
    EXPECT_EQ(cpu.find(other), std::string::npos) << other;
  }
  EXPECT_NE(help_of("spans").find("--by thread "), std::string::npos);
  EXPECT_NE(help_of("diff").find("--fail-above PERCENT"), std::string::npos);
  EXPECT_EQ(help_of("").find("--by"), help_of("").find("--by thread,cpu app.evt"));
}

TEST_F(StatsHelp, IsAManualPageForEachAnalysis) {
  for (const std::string& analysis : kAnalyses) {
    const Outcome page = run("evt --manual stats-" + analysis);
    EXPECT_EQ(page.status, 0) << page;
    EXPECT_NE(page.out.find(".SH EXAMPLE\n.nf\n$ evt stats " + analysis), std::string::npos) << page;
  }
  EXPECT_EQ(run("evt --manual stats-evt").status, 2);
  EXPECT_EQ(run("evt --manual stats-cpus"), refuses(2, "evt: --manual: expected evt or a command, found stats-cpus\n"));
}

// Options may be in front of the analysis or behind it.
TEST_F(StatsHelp, IsOfOptionsThatAreTakenOnBothSides) {
  given_trace("app.evt", kServer);
  EXPECT_EQ(run("evt stats --top 1 --raw cpu app.evt"), run("evt stats cpu --raw --top 1 app.evt"));
  EXPECT_EQ(run("evt stats --json cpu --csv app.evt"), refuses(2, "evt stats: --json excludes --csv\n"));
  EXPECT_EQ(run("evt stats --event 'gc.*' events --event 'thread.*' app.evt"),
            refuses(2, "evt stats: --event: is given both before and after the analysis\n"));
  EXPECT_EQ(run("evt stats --from 5ms cpu --to 1ms app.evt"),
            refuses(2, "evt stats: --to: 1ms is before --from 5ms\n"));
  EXPECT_EQ(run("evt stats cpu,gc events app.evt"), run("evt stats cpu,gc,events app.evt"));
  EXPECT_EQ(run("evt stats --limit disk=1/s cpu app.evt"),
            refuses(2, "evt stats: --limit: works with usage, not with cpu\n"));
}

}  // namespace
}  // namespace evt::testing
