#include "stats/help.h"

#include <algorithm>
#include <iterator>

namespace evt::tools {
namespace {

struct AnalysisHelp {
  const char* name;
  const char* columns;
  const char* example;  // a command line and its output
};

constexpr AnalysisHelp kAnalysisHelp[] = {
    {"summary",
     R"(Tables: facts of each session; events by type; streams; clocks.
  from, to    the first event and the last; span: the time between
  end         how the session ended: closed, continued, living, killed, truncated or unknown
  events, %   events of the type, and of all events
  rate        per second between the first event and the last
  lost        events that the program could not record
  missing     rows that were recorded and cannot be read; at least N where its end is not known
  rows        of the stream: events, and what it records of losses and jumps in time
  error       how far the clock may be from the time shown, where that is known)",
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
    {"cpu",
     R"(Columns:
  running     time for which the thread ran (roles threadRun, threadStop)
  %           of the wall time: between the first event and the last, or --from and --to
  current     length of the run that goes on at the end, to where it ends, or of the last one; - where no end is
              within 2^20 events, or it is behind what the trace was cut to
  so far      of `current`, what was until the end of the time that is asked for
  slices      runs, each from its start to its end
  uncertain   of `running`, time in which events were lost
  idle        of cpus: time in which they ran what they run when they have nothing to do)",
     R"(  $ evt stats cpu --by thread,cpu app.evt
  thread  name    cpu  running       %  current  slices
       1  accept    0  3.00 ms  30.0 %  1.00 ms       2
       2  worker    1  6.50 ms  65.0 %  6.50 ms       1)"},
    {"threads",
     R"(Tables: threads; what each waited for; who woke it; collectors of garbage by stream.
  created, ended   when the thread was created and ended; - where no event records that
  state       at the end: running, runnable, waiting, outside, ended, or not known
  running     time for which it ran
  runnable    time for which it was ready to run, after an event of role threadWake, or for which a collector of
              garbage worked on it (from gcStart to gcEnd)
  waiting     time for which it had stopped for a reason
  outside     time for which it ran where no event records it, as in a foreign function
  not known   time before an event recorded its state
  uncertain   of all of it, time in which events were lost
  slices      runs, each from its start to its end
  cpus        the number of different cpus
  migrations  runs that began on another cpu than the one before
  wakes       waits that an event of role threadWake ended; in a table of their own: by which thread
  waits for   the reason; times: the number of such waits
  woken by    the thread that ended its wait
  gc of stream   a stream that collects garbage; collections: their number; collecting: their time, the sum of
  work, gc idle, sync   time for which it worked, had nothing to do, and waited for others that took part)",
     R"(  $ evt stats threads app.evt
  thread  name          ended  state    running  runnable  waiting  slices  cpus  migrations
       1  accept            -  waiting  3.00 ms      0 ns  7.00 ms       2     1           0
       2  worker  0.008000000  ended    6.50 ms    500 us     0 ns       1     1           0

  thread  waits for  times  waiting
       1  blocked        2  7.00 ms

  gc of stream  name    collections  collecting    work  gc idle  sync
             1  server            1      500 us  500 us     0 ns  0 ns)"},
    {"gc",
     R"(Tables: facts of the session; pauses by generation, or --by reason; time by stream.
  total       wall time
  mutator     time without a collection and without `stopping`, in which a thread ran (by stream) or could run (of all)
  collector   time of collections (roles gcStart, gcEnd); %: of the wall time
  stopping    beside that, time in which threads stopped for a collection (from role gcRequest to the gcStart of
              its leader), or were stopped by a concurrent collector (gcPauseBegin, gcPauseEnd)
  concurrent  time in which a collector worked beside the program's threads (gcConcurrentBegin, gcConcurrentEnd)
  productivity  mutator time as a part of the total
  sum, mean, min, median, p90, p99, max   lengths of pauses
  work        of `collector`, time for which it worked; gc idle: for which it had nothing to do (role gcIdle)
  sync        of `collector`, time for which its part was done (role gcDone) and it waited for others that took part
  idle        of the stream: neither mutator nor collector
  sparks      created, run, fizzled and so on, where there are any)",
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
    {"spans",
     R"(Tables: spans by name; calls by function; async: asynchronous spans by name; what is still open at the end; extremes:
where the longest were; with --longest N, the N longest of all. Names are in the order of `self`, async in that of `sum`.
  count       spans of this name (roles span, spanBegin, spanEnd, call, callBegin, callEnd)
  sum         time of those that are in no other of their name, from begin to end
  self        without the time of spans and calls within them
  trimmed mean   without the shortest and the longest hundredth
  min, median, p90, p99, p99.9, max   right to 0.4 % (1/256)
  subtracted  with --subtract: what tracing took of them
  unfinished  not in `count`: what was around them ended, or their thread
  uncertain   of `count`: events were lost meanwhile that may have recorded their end
  stopped     not in the times: their process was stopped (role stopped), and their thread did not wait
  thread      with --by thread: the thread that they are of
  async       begin and end by a `spanId` (roles asyncBegin, asyncEnd), perhaps on two threads. `sum` is that of all;
              their times include stops and what tracing took; `uncertain`: events of their process were lost
  which       max: the longest; if p99 is shorter, above p99: the nearest that is longer than p99, below p99: the nearest
              that is not. Nearest but for those that differ from it by less than 1/128
  length, began   how long it was, and when it began, or the range if that is later; on which stream and thread)",
     R"(  $ evt stats spans app.evt
  name   count      sum     self  trimmed mean      min   median      p90      p99    p99.9      max
  GET /      2  6.00 ms  3.50 ms       3.00 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms  3.00 ms

  function  count      sum     self  trimmed mean      min   median      p90      p99    p99.9      max
  read          2  2.50 ms  2.50 ms       1.25 ms  1.00 ms  1.00 ms  1.50 ms  1.50 ms  1.50 ms  1.50 ms

  name   kind  which   length        began  stream  thread
  GET /  span  max    3.00 ms  0.001000000       1       2
  read   call  max    1.50 ms  0.001500000       1       2)"},
    {"calls",
     R"(Tables: facts of the session; spans and calls by name, those with the most time of their own first; with --callers
and --callees, a row for each pair. Spans and calls of a thread are in one stack, whatever streams record them.
  in calls    time of threads in spans and calls, and how much of it they were running and the process was stopped;
              percentages are of this time
  threads     that were in spans and calls; paths: different stacks
  count       spans or calls of this name (roles span, spanBegin, spanEnd, call, callBegin, callEnd)
  sum         time of those that are in no other of their kind and name, so of recursion the outermost alone
  self        time in which no span or call was inside of it; of all names it is `in calls`
  running     of `self`: the thread ran, or no event records when it runs; without time in which the process was stopped
  stopped     of `self`: the process was stopped (role stopped), and the thread did not wait
  unfinished  of `count`: they did not end. Their time until the end, or until what was around ended, counts
  subtracted  with --subtract: not in `self`, as tracing took it; `sum` is without it too
  caller, callee   with --callers, --callees: what was directly around, (none) in a thread itself; what was directly
              inside, (itself) for what it had itself. Percentages are of the `sum` of `name`
  threads     with --by pattern: the pattern of --thread
The sums of the callers of a name, and those of its callees and itself, are its own `sum`. If filters leave out some of
its callees, or their paths are not kept, the rest is (other paths).

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
    {"counts",
     R"(Columns:
  library     that defines the function; caller: the program or library that imports it
  calls       that have begun (role callCounts); not returned: of them, at the end, or left by an exception or a jump
  timed       of those that returned; where it is there, the others are represented by them, at random
  total, min, max   time of those that returned, or were timed; error: the standard error of a total that is an estimate
  median, p99   the same, to an eighth
With --by function all callers and threads are one row, with --by caller all threads, with --by thread all callers.)",
     R"(  $ evt stats counts counted.evt
  function  library    caller  thread  calls  not returned   total      min   median      p99      max
  crc32     libz.so.1  server       2    120             1  480 us  1.00 us  4.00 us  8.00 us  9.00 us)"},
    {"share",
     R"(Tables: facts of the session; spans and calls; threads. At each moment the time is divided by the threads that
are active in it, so that the shares add up to the wall time. Options that choose events leave out rows; the facts are
of all threads.
  wall        time between the first event and the last; idle: of that, time in which no thread was active
  active      time for which a thread was active in it; none is while its process is stopped (role stopped)
  serial      of that, time in which no other thread was active
  parallel    of that, time in which others were
  parallelism   how many threads were active, on average
  share, %    its part of the wall time
  outliers    of `times`, those whose share is far beyond the others of the name: above the upper quartile by more than
              three times its distance to the lower one, and more than twice it
  share without   `share` without outliers, right to 0.4 % of them; people see both columns where there are any
  self        of threads: their share outside of spans and calls
  (threads themselves)   time of threads outside of spans and calls
  (garbage collection)   time of collectors while they work, each active by itself; gc of STREAM: of one
  wrong by    with --compare-models: the difference between the other model and this one)",
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
     R"(Tables: the program's time; resources; threads; threads by resource; objects; functions.
  cpu, sleeping, stopped, in RESOURCE   where the time of threads went; %: of all of it
  gc work, gc idle, gc sync   where the time of collectors of garbage went; %: of all of it
  opened, most open   objects of the resource, in all and at one time (role objectOpen)
  calls       how many; the program's time has those that name no object, resource or amount as what their thread did
  amount      bytes or whatever the calls say (role amount)
  time        of calls, without time in which the process was stopped
  assumed     of `stopped`: no limit gives how long those calls must take
  stop, from, to   each time in which the process was stopped, the first 1000; `all`: two at a time count once
  rate        amount per second of that time
A call of a resource of which there is only so much per second must take some time: if it took longer as the process was
stopped, the stop is not in `time`. --limit gives how much there is instead of what calls and objects have (role limit);
KIND=AMOUNT/s takes k or K, M, G and T.)",
     R"(  $ evt stats usage --by function app.evt
  function  resource  calls  amount     time      rate
  read      disk          2  131072  2.50 ms  52.4 M/s)"},
    {"stops",
     R"(Tables: facts of the session; processes of a merged trace; stops.
  time        between the first event and the last, or of --from to --to: stopped and % are of it
  stopped     what two stops have in common counts once; in the facts, of all processes
  from, to    when the stop was, within that time; without `to` it has not ended by then
  cause       signal: SIGSTOP or the terminal; pause: a freezer, a debugger or the machine; suspend: the machine slept;
              -: the process found that it woke late, and was stopped for so long at least
  suspended   how long the machine slept, which is no time of the trace
The first 100,000 stops are listed; the others count.)",
     R"(  $ evt stats stops --from 2 --to 4 stopped.evt
  time     2.00 s
  stops    2
  stopped  750 ms
  %        37.5 %

  stop         from           to  stopped  cause
     1  2.000000000  2.500000000   500 ms  signal
     2  3.500000000  3.750000000   250 ms  -)"},
    {"overhead",
     R"(Tables: facts of the session; what tracing took by reason; events by stream and thread.
  emitting    what emitting all events took: --cost for each
  self-reported   durations of events of role overhead
  all         both
  times       events of role overhead with this reason
  sum, %      their time, and its part of the wall time
  median, p99, max   lengths)",
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
    {"events",
     R"(Columns:
  events, %   events of the type, and their part of all events
  rate        per second between the first event and the last, or of --from to --to)",
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
empty. CSV has no lines for an analysis that has no table, as the trace has no events for it.)";

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
the names of threads, cpus and streams if those are unique, else by their numbers. --sort % and --top are of that list.
Of analyses, the options that all of them have are taken.

Examples: evt stats diff spans --sort % --top 20 before.evt after.evt
          evt stats diff gc,spans --fail-above 10 before.evt after.evt

)";

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
  const auto* const help = std::find_if(std::begin(kAnalysisHelp), std::end(kAnalysisHelp),
                                        [&](const AnalysisHelp& each) { return each.name == analysis; });
  return std::string("\n") + help->columns + "\n\n" + kSelections + "\n\nExample:\n" + help->example + "\n\n" +
         kExitStatus;
}

std::string diff_footer() { return std::string(kDiff) + kExitStatus; }

}  // namespace evt::tools
