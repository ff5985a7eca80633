#include "stats/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "libtrace-read/report/shared/described_tables.h"

namespace evt::tools {
namespace {

struct AnalysisHelp {
  const char* name;
  const char* more;     // what the descriptions of its columns do not say
  const char* example;  // a command line and its output
};

constexpr AnalysisHelp kAnalysisHelp[] = {
    {"summary", "",
     R"(  $ evt stats summary app.evt
  # app.evt: 3032 bytes, 19 events, 159.58 bytes each
  program  server
  uuid     00010203-0405-4607-8809-0a0b0c0d0e0f
  start    2026-01-01 00:00:00.000000000 UTC
  from     0.000000000
  to       0.010000000
  span     10.0 ms
  events   19
  rate     1.90 k/s
  lost     0
  missing  0
  streams  1
  types    11
  end      closed

  event        events       %    rate
  thread.run        3  15.8 %  300 /s
  thread.stop       3  15.8 %  300 /s
  thread.name       2  10.5 %  200 /s
  request           2  10.5 %  200 /s
  done              2  10.5 %  200 /s
  call              2  10.5 %  200 /s
  gc.start          1   5.3 %  100 /s
  gc.end            1   5.3 %  100 /s
  open              1   5.3 %  100 /s
  file.name         1   5.3 %  100 /s
  flush             1   5.3 %  100 /s

  stream  name    rows        first         last      rate
       1  server    19  0.000000000  0.010000000  1.90 k/s

  clock  kind   name    frequency  error
      1  other  other  1000000000   0 ns)"},
    {"cpu", "",
     R"(  $ evt stats cpu --by thread,cpu app.evt
  thread  name    cpu  running       %  current  slices
       1  accept    0  3.00 ms  30.0 %  1.00 ms       2
       2  worker    1  6.50 ms  65.0 %  6.50 ms       1)"},
    {"threads", "",
     R"(  $ evt stats threads app.evt
  thread  name          ended  state    running  runnable  waiting  slices  cpus  migrations
       1  accept            -  waiting  3.00 ms      0 ns  7.00 ms       2     1           0
       2  worker  0.008000000  ended    6.50 ms    500 us     0 ns       1     1           0

  thread  waits for  times  waiting
       1  blocked        2  7.00 ms

  gc of stream  name    collections  collecting    work  gc idle  sync
             1  server            1      500 us  500 us     0 ns  0 ns)"},
    {"gc", "",
     R"(  $ evt stats gc app.evt
  total         10.0 ms
  mutator       9.50 ms
  collector     500 us
  collections   1
  productivity  95.0 %

  generation  collections     sum    mean     min  median     p90     p99     max
  all                   1  500 us  500 us  500 us  500 us  500 us  500 us  500 us
  0                     1  500 us  500 us  500 us  500 us  500 us  500 us  500 us

  stream  name    mutator  mutator %  collector  collector %     idle  collections
       1  server  3.00 ms     30.0 %     500 us        5.0 %  6.50 ms            1)"},
    {"spans", R"(Names are in the order of `self`, asynchronous ones in that of `sum`.)",
     R"(  $ evt stats spans app.evt
  name   count      sum     self  trimmed mean      min   median      p90      p95      p99    p99.9      max
  GET /      2  6.00 ms  3.50 ms       3.00 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms

  function  count      sum     self  trimmed mean      min   median      p90      p95      p99    p99.9      max
  read          2  2.50 ms  2.50 ms       1.25 ms  1.00 ms  1.00 ms  1.50 ms  1.50 ms  1.50 ms  1.50 ms  1.50 ms

  name   kind  which   length        began  stream  thread
  GET /  span  max    3.00 ms  0.001000000       1       2
  read   call  max    1.50 ms  0.001500000       1       2)"},
    {"calls",
     R"(Those with the most time of their own are first. Spans and calls of a thread are in one stack, whatever streams record
them. The sums of the callers of a name, and those of its callees and itself, are its own `sum`. If filters leave out some
of its callees, or their paths are not kept, the rest is (other paths).

--fold writes a line THREAD;OUTER;INNER NANOSECONDS for each path that has time of its own, sorted, as flamegraph.pl,
inferno and speedscope read it. THREAD is the name of the thread, thread NUMBER without one; threads of one name are
one. With --by thread it has the number too, with --by pattern it is the pattern. A ; in a name is \x3b, a newline \x0a.
With several traces or sessions the trace and the number of the session are in front.
Of names of more than 32 MiB in all, the paths with the most time are there; the others are one, THREAD;(other paths).

Of paths with more than 512 names, or beyond 262144 paths, the name alone counts, in (other paths).)",
     R"(  $ evt stats calls app.evt
  in calls  6.00 ms
  running   6.00 ms
  stopped   0 ns
  threads   1
  paths     2

  name   kind  count      sum    sum %     self  self %  running
  GET /  span      2  6.00 ms  100.0 %  3.50 ms  58.3 %  3.50 ms
  read   call      2  2.50 ms   41.7 %  2.50 ms  41.7 %  2.50 ms)"},
    {"stacks",
     R"(Samples find which code runs, so shares are estimates: `error` is one standard deviation of `self %`. `sum` counts a sample
once for each function in its stack. The functions are those of the program and its libraries, by symbol, or
FILE+0xADDRESS of where they begin; [truncated] is what a stack had beyond its copy, [unknown] code that is in no file.
--by module sums by program and library, --by line tells lines apart where the program has debug information.
--callers, --callees and --fold are those of evt stats calls.

--waiting shows who waited instead: calls that evt run recorded, and that took more than 100 us. The innermost names are
the lock, where it has a name, and the function that was called.)",
     R"(  $ evt stats stacks sampled.evt
  sampled  4.00 ms
  samples  4
  paths    3

  name   samples      sum    sum %     self  self %   error
  parse        2  2.00 ms   50.0 %  2.00 ms  50.0 %  25.0 %
  serve        1  4.00 ms  100.0 %  1.00 ms  25.0 %  21.7 %
  send         1  1.00 ms   25.0 %  1.00 ms  25.0 %  21.7 %
  main         0  4.00 ms  100.0 %     0 ns   0.0 %   0.0 %)"},
    {"counts",
     R"(With --by function all callers and threads are one row, with --by caller all threads, with --by thread all callers.)",
     R"(  $ evt stats counts counted.evt
  function  library    caller  thread  calls  not returned   total      min   median      p99      max
  crc32     libz.so.1  server       2    120             1  480 us  1.00 us  4.00 us  8.00 us  9.00 us)"},
    {"share",
     R"(At each moment the time is divided by the threads that are active in it, so that the shares add up to the wall time.
Options that choose events leave out rows; the facts are of all threads. (threads themselves) is the time of threads
outside of spans and calls, (garbage collection) that of collectors while they work, each active by itself, of which
`threads` has gc of STREAM.)",
     R"(  $ evt stats share app.evt
  model        running
  wall         10.0 ms
  idle         1.00 ms
  serial       8.00 ms
  parallel     1.00 ms
  parallelism  1.11

  name                  kind    times   active   serial  parallel  parallelism    share       %
  GET /                 span        2  3.50 ms  3.00 ms    500 us         1.14  3.25 ms  32.5 %
  (threads themselves)  thread      -  3.50 ms  2.50 ms   1.00 ms         1.29  3.00 ms  30.0 %
  read                  call        2  2.50 ms  2.00 ms    500 us         1.20  2.25 ms  22.5 %
  (garbage collection)  gc          1   500 us   500 us      0 ns         1.00   500 us   5.0 %
  (idle)                            -        -        -         -            -  1.00 ms  10.0 %

  thread  name           active   serial  parallel  parallelism    share       %     self
       2  worker        6.50 ms  5.50 ms   1.00 ms         1.15  6.00 ms  60.0 %   500 us
       1  accept        3.00 ms  2.00 ms   1.00 ms         1.33  2.50 ms  25.0 %  2.50 ms
       -  gc of server   500 us   500 us      0 ns         1.00   500 us   5.0 %   500 us
  (idle)                      -        -         -            -  1.00 ms  10.0 %        -)"},
    {"usage",
     R"(The program's time in `cpu` has that of calls that name no object, resource or amount.

A call of a resource of which there is only so much per second must take some time: if it took longer as the process was
stopped, the stop is not in `time`. --limit gives how much there is instead of what calls and objects have (role limit);
KIND=AMOUNT/s takes k or K, M, G and T.)",
     R"(  $ evt stats usage --by function app.evt
  function  resource  calls  amount     time      rate
  read      disk          2  131072  2.50 ms  52.4 M/s)"},
    {"stops", R"(The first 100,000 stops are listed; the others count.)",
     R"(  $ evt stats stops --from 2 --to 4 stopped.evt
  time     2.00 s
  stops    2
  stopped  750 ms
  %        37.5 %

  stop         from           to  stopped  cause
     1  2.000000000  2.500000000   500 ms  signal
     2  3.500000000  3.750000000   250 ms  -)"},
    {"overhead", "",
     R"(  $ evt stats overhead --cost 25 app.evt
  events         19
  emitting       475 ns
  self-reported  50.0 us
  all            50.5 us

  reason  stream  name    times      sum      %   median      p99      max
  flush        1  server      1  50.0 us  0.5 %  50.0 us  50.0 us  50.0 us

  stream  name    thread  thread name  events  emitting      %
       1  server       2  worker           10    250 ns  0.0 %
       1  server       -  -                 5    125 ns  0.0 %
       1  server       1  accept            4    100 ns  0.0 %)"},
    {"events", "",
     R"(  $ evt stats events --event "thread.*" app.evt
  event        events       %    rate
  thread.run        3  37.5 %  300 /s
  thread.stop       3  37.5 %  300 /s
  thread.name       2  25.0 %  200 /s)"},
};

constexpr const char* kSelections =
    R"(--stream, --event and --where choose what an answer is of: a span, a call or the run of a thread is in it if one of
the events that make it is chosen. All other events are taken into account as well. Of the summary they choose the
events and types that are counted; its streams, losses and clocks are those of the trace. evt dump --help has what
--where takes.

--every has the tables of each stretch of time, one below the other: a row begins with its stretch. The last stretch
ends with the time that is asked for and may be shorter.

A table has all its columns in CSV and JSON, empty or null where there is nothing; text leaves out columns that are
empty and, on a terminal, the least needed of those that have no room. CSV has no lines for an analysis that has no table, as the trace has no events for it.)";

constexpr const char* kExitStatus =
    R"(Exit status: 0 all was read; 1 the trace is damaged or truncated, the rest was counted, or it has no events that an
analysis is of, or a filter or --limit names nothing that is there, or a filter leaves nothing to count, or a
time is outside, or more changed than --fail-above allows, or there are more threads or cpus than are followed, or more
paths than are kept, or too little memory is allowed for what is counted; 2 wrong usage; 3 a trace could not be read, or the output not written.)";

constexpr const char* kText =
    R"(
evt stats ANALYSIS --help has the columns and the options of one analysis. Several, with commas between them, are
computed in one pass, with the options that all of them have. A trace with the name of an analysis is ./cpu.

)";

constexpr const char* kDiff =
    R"(
Lists what is different in the second trace, column by column, and what only one of them has. Rows belong together by
the names of threads, cpus and streams if those are unique, else by their numbers; of another run of a program, by
program and order. Percentages and moments are not compared. --sort % and --top are of that list. Of analyses, the
options that all of them have are taken.

Examples: evt stats diff spans --sort % --top 20 before.evt after.evt
          evt stats diff gc,spans --fail-above 10 before.evt after.evt

)";

// Each table of the analysis with those of its columns that none before it has.
std::string columns_of(const std::string& analysis) {
  constexpr std::size_t kNames = 13;
  std::set<std::pair<std::string_view, std::string_view>> explained;
  std::string text;
  for (const report::DescribedTable& table : report::described_tables()) {
    if (table.analysis != analysis) continue;
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", table.name, table.what);
    for (const report::DescribedColumn& column : table.columns) {
      if (!explained.insert({column.name, column.what}).second) continue;
      text += fmt::format("  {:<{}}  {}\n", column.name, kNames, column.what);
    }
  }
  return text;
}

}  // namespace

std::string stats_footer() {
  return std::string(kText) + kSelections +
         "\n\nExamples: evt stats app.evt\n"
         "          evt stats cpu --at 1.5 --by thread,cpu app.evt\n"
         "          evt stats usage --by object --limit disk=100M/s app.evt\n"
         "          evt stats threads,gc --json app.eventlog | jq .\n\n" +
         kExitStatus;
}

std::string analysis_footer(const std::string& analysis) {
  const auto* const help =
      std::ranges::find_if(kAnalysisHelp, [&](const AnalysisHelp& each) { return each.name == analysis; });
  const std::string more = *help->more != 0 ? std::string("\n") + help->more + "\n" : "";
  return "\n" + columns_of(analysis) + more + "\n" + kSelections + "\n\nExample:\n" + help->example + "\n\n" +
         kExitStatus;
}

std::string diff_footer() { return std::string(kDiff) + kExitStatus; }

}  // namespace evt::tools
