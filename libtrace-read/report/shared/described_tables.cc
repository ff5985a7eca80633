#include "described_tables.h"

#include <algorithm>

namespace evt::report {
namespace {

using enum CellKind;
using enum DescribedColumn::Values;

constexpr DescribedColumn if_any(DescribedColumn column) {
  column.hides_if_empty = true;
  return column;
}

// Text for threads that share their number with another of a merged trace, or are known only by their stream.
constexpr const char* kThread = "number of the thread: `PART:` in front in a merged session, `#ID` for a stream's own";
constexpr const char* kThreadName = "name of the thread";
constexpr const char* kStream = "id of the stream";
constexpr const char* kStreamName = "name of the stream";
constexpr const char* kSpanKind = "span or call";
constexpr const char* kAnySpanKind = "span, call or async";
constexpr const char* kPart = "name of the part of a merged session";
constexpr const char* kMedian = "median duration; like all percentiles accurate to 0.4 % (1/256)";

constexpr DescribedColumn kSession[] = {
    {"program", kText, "name of the program"},
    {"uuid", kText, "the session's uuid"},
    {"start", kText, "when the session began, UTC"},
    {"from", kTime, "the first event, or start of the range"},
    {"to", kTime, "the last event, or end of the range"},
    {"span", kDuration, "time between"},
    {"events", kCount, "number of events"},
    {"rate", kRate, "events per second"},
    {"lost", kCount, "events that the program could not record"},
    {"missing", kCount, "recorded events that cannot be read; a lower bound if its end is unknown"},
    {"streams", kCount, "number of streams"},
    {"types", kCount, "number of types"},
    {"end", kText, "how it ended: closed, continued, living, killed, truncated or unknown"},
};
constexpr DescribedColumn kWhole[] = {
    {"program", kText, "name of the program"},
    if_any({"processes", kCount, "number of processes in a merged session"}),
    {"start", kText, "when the session began, UTC"},
    {"from", kTime, "the first event, or start of the range"},
    {"to", kTime, "the last event, or end of the range"},
    {"span", kDuration, "time between"},
    {"end", kText, "how it ended: closed, continued, living, killed, truncated or unknown"},
    if_any(
        {"exit", kText, "how the program ended that evt run started: its exit status, or the signal that killed it"}),
    {"events", kCount, "number of events"},
    {"rate", kRate, "events per second"},
    {"lost", kCount, "events that the program could not record"},
    if_any({"missing", kCount, "recorded events that cannot be read; a lower bound if its end is unknown"}),
};
constexpr DescribedColumn kLoad[] = {
    {"from", kTime, "start of the step"},
    {"to", kTime, "end of the step"},
    if_any({"running", kNumber, "threads that ran in it, on average (roles threadRun, threadStop)"}),
    {"events", kCount, "events in it"},
};
constexpr DescribedColumn kTop[] = {
    {"about", kText, "subject: parallelism, cpu, waits, code, calls, spans, locks, files, gc ..."},
    {"top", kText, "thread, function, span, object ... with the most of it; empty for the whole session"},
    {"figure", kText, "column of the table that `evt stats` prints"},
    {"value", kNumber, "value in that column"},
    {"unit", kText, "unit of the value: ns, B or 1/s; empty for a number"},
    if_any({"%", kPercent, "percentage in the same row of that table"}),
    {"more", kText, "command that prints the table, without the name of the trace"},
};
constexpr DescribedColumn kTypes[] = {
    {"event", kText, "name of the type"},
    {"events", kCount, "number of events"},
    {"%", kPercent, "part of all events"},
    {"rate", kRate, "events per second"},
};
constexpr DescribedColumn kStreams[] = {
    {"stream", kCount, kStream},
    {"name", kText, kStreamName},
    {"rows", kCount, "events, and records of losses and of jumps in time"},
    {"first", kTime, "its first event"},
    {"last", kTime, "its last event"},
    {"rate", kRate, "rows per second"},
    if_any({"lost", kCount, "events that the program could not record"}),
    if_any({"missing", kCount, "recorded events that cannot be read; a lower bound if its end is unknown"}),
};
constexpr DescribedColumn kLosses[] = {
    {"stream", kCount, kStream},
    {"cause", kText, "why there was no room for them, such as ring_full, if known"},
    {"events", kCount, "number of events"},
};
constexpr DescribedColumn kClocks[] = {
    {"clock", kCount, "id of the clock"},          {"kind", kText, "kind of the clock"},
    if_any({"name", kText, "name of the clock"}),  {"frequency", kCount, "ticks per second"},
    {"error", kDuration, "error bound, if known"},
};
constexpr DescribedColumn kParts[] = {
    {"part", kText, kPart},
    {"first stream", kCount, "id of its first stream"},
    {"streams", kCount, "number of its streams"},
    {"alignment", kText, "how its times were aligned"},
    {"error", kDuration, "error bound, if known"},
};
constexpr DescribedColumn kCpu[] = {
    {"thread", kCount, kThread, kTexts},
    if_any({"name", kText, kThreadName}),
    {"cpu", kCount, "number of the cpu", kTexts},
    if_any({"cpu name", kText, "name of the cpu"}),
    {"running", kDuration, "time for which the thread ran (roles threadRun, threadStop)"},
    {"%", kPercent, "part of the wall time"},
    {"current", kDuration,
     "duration of the time slice in progress at the end of the range, else of the last one; unknown if no end is "
     "within "
     "2^20 events, or if a part was cut before it"},
    if_any({"so far", kDuration, "part of `current` before the end of the range"}),
    {"slices", kCount, "number of time slices"},
    if_any({"uncertain", kDuration, "of `running`: the thread may have stopped unseen, because of a loss"}),
    if_any({"idle", kDuration, "time in the cpu's idle task; not part of `running`"}),
};
constexpr DescribedColumn kThreads[] = {
    {"thread", kCount, kThread, kTexts},
    if_any({"name", kText, kThreadName}),
    if_any({"created", kTime, "when it was created, if an event records that"}),
    if_any({"ended", kTime, "when it ended, if an event records that"}),
    {"state", kText, "state at the end: running, runnable, waiting, outside, ended, or not known"},
    {"running", kDuration, "time for which it ran"},
    {"runnable", kDuration, "time ready to run (role threadWake), or under a garbage collector (gcStart to gcEnd)"},
    {"waiting", kDuration, "time stopped for a reason"},
    if_any({"outside", kDuration, "time running where no event records it, such as in a foreign function"}),
    if_any({"not known", kDuration, "time before an event recorded its state"}),
    if_any({"uncertain", kDuration, "of all but `not known`: the state may have changed unseen, because of a loss"}),
    {"slices", kCount, "number of time slices"},
    {"cpus", kCount, "number of different cpus"},
    {"migrations", kCount, "runs that began on another cpu than the one before"},
    if_any({"wakes", kCount, "waits ended by an event of role threadWake"}),
};
constexpr DescribedColumn kThreadsOfProcesses[] = {
    {"process", kText,
     "name of the process, or of the program if there is only one; empty for threads without a process"},
    {"threads", kCount, "number of its threads"},
    {"running", kDuration, "time for which they ran"},
    {"runnable", kDuration, "time for which they were ready to run"},
    {"waiting", kDuration, "time stopped for a reason"},
    if_any({"outside", kDuration, "time running where no event records it"}),
    if_any({"not known", kDuration, "time before an event recorded their state"}),
    if_any({"uncertain", kDuration, "of all but `not known`: the state may have changed unseen, because of a loss"}),
    {"slices", kCount, "number of time slices"},
    {"migrations", kCount, "runs that began on another cpu than the one before"},
};
constexpr DescribedColumn kCollectors[] = {
    {"gc of stream", kCount, "id of a stream that collects garbage"},
    if_any({"name", kText, kStreamName}),
    {"collections", kCount, "number of collections"},
    {"collecting", kDuration, "how long they took"},
    {"work", kDuration, "part of that in which it worked"},
    {"gc idle", kDuration, "part of that in which it had nothing to do"},
    {"sync", kDuration, "part of that in which it was done and waited for other participants"},
};
constexpr DescribedColumn kWaiting[] = {
    {"thread", kCount, kThread, kTexts},
    {"waits for", kText, "reason of its waits"},
    {"times", kCount, "number of waits"},
    {"waiting", kDuration, "how long they took"},
};
constexpr DescribedColumn kWakers[] = {
    {"thread", kCount, kThread, kTexts},
    {"woken by", kCount, "number of the thread that ended its waits", kTexts},
    {"times", kCount, "number of waits"},
};

#define EVT_LATENCIES                                                                                            \
  {"count", kCount, "how many there were"}, {"sum", kDuration, "how long all of them took"},                     \
      {"min", kDuration, "the shortest"}, {"median", kDuration, kMedian}, {"p90", kDuration, "90th percentile"}, \
      {"p99", kDuration, "99th percentile"}, {"max", kDuration, "the longest"}, {                                \
    "max at", kTime, "when the longest began"                                                                    \
  }
#define EVT_DELAYS                                                                                           \
  {"delays", kText,                                                                                          \
   "all: from when a thread became runnable (created, woken or preempted) to when it ran; woken: of these, " \
   "those that a wake-up began (role threadWake)"},                                                          \
      EVT_LATENCIES
constexpr DescribedColumn kDelaysOfThreads[] = {
    {"thread", kCount, kThread, kTexts},
    if_any({"name", kText, kThreadName}),
    EVT_DELAYS,
    if_any({"unfinished", kCount, "not in `count`: still runnable at the end"}),
    if_any({"uncertain", kCount, "part of `count`: events lost during that time may have changed it"}),
};
constexpr DescribedColumn kDelaysOfCpus[] = {
    {"cpu", kCount, "number of the cpu on which the threads ran then", kTexts},
    if_any({"cpu name", kText, "name of the cpu"}),
    EVT_DELAYS,
    {"max thread", kCount, "number of the thread that waited for the longest", kTexts},
    if_any({"uncertain", kCount, "part of `count`: events lost during that time may have changed it"}),
};
#undef EVT_DELAYS
constexpr DescribedColumn kEventPairs[] = {
    {"from event", kText, "types of the events that begin pairs"},
    {"to event", kText, "types of the events that end them: the next with the same key"},
    {"key", kText, "what pairs them: a field, by default flow, async id (roles flow, spanId) or thread"},
    EVT_LATENCIES,
    {"without to", kCount, "not in `count`: first events without a second one in the range"},
    {"without from", kCount, "second events without a first one in the range"},
    if_any({"uncertain", kCount, "part of `count`: events were lost during that time, perhaps an end"}),
};
#undef EVT_LATENCIES
constexpr DescribedColumn kLongestPairs[] = {
    {"latency", kDuration, "from the event that begins the pair to the one that ends it"},
    {"began", kTime, "when it began"},
    if_any({"key", kText, "the value that both events have in the field"}),
    {"thread", kCount, "number of the thread of the first event", kTexts},
    if_any({"thread name", kText, kThreadName}),
    {"to thread", kCount, "number of the thread of the second event", kTexts},
    if_any({"to thread name", kText, kThreadName}),
};
constexpr DescribedColumn kGc[] = {
    {"total", kDuration, "wall time"},
    {"mutator", kDuration, "time without a collection and without `stopping`"},
    {"collector", kDuration, "time of collections (roles gcStart, gcEnd)"},
    if_any({"stopping", kDuration,
            "further time in which threads stopped for a collection (from gcRequest to the gcStart of its leader), or "
            "a concurrent collector stopped them (gcPauseBegin, gcPauseEnd)"}),
    if_any({"concurrent", kDuration,
            "time in which a collector worked beside the program's threads (gcConcurrentBegin, gcConcurrentEnd)"}),
    {"collections", kCount, "number of collections"},
    {"productivity", kPercent, "`mutator` as a part of `total`"},
};

#define EVT_PAUSES                                                                                              \
  {"collections", kCount, "number of pauses"}, {"sum", kDuration, "how long all of them took"},                 \
      {"mean", kDuration, "mean duration"}, {"min", kDuration, "the shortest"}, {"median", kDuration, kMedian}, \
      {"p90", kDuration, "90th percentile"}, {"p99", kDuration, "99th percentile"}, {                           \
    "max", kDuration, "the longest"                                                                             \
  }
constexpr DescribedColumn kPauses[] = {{"generation", kText, "number of the generation; all; not known"}, EVT_PAUSES};
constexpr DescribedColumn kPauseReasons[] = {{"reason", kText, "why the program's threads had to wait; all; not known"},
                                             EVT_PAUSES};
#undef EVT_PAUSES

constexpr DescribedColumn kUtilization[] = {
    {"window", kDuration, "a period of time"},
    {"least", kDuration, "least time left to the program in any such window; the rest is collections and `stopping`"},
    {"%", kPercent, "the same as a part of the window"},
};
constexpr DescribedColumn kLongestPauses[] = {
    {"from", kTime, "when it began, within the range"},
    {"pause", kDuration, "how long it lasted"},
    {"stream", kCount, "id of the stream that led the collection"},
    {"name", kText, kStreamName},
    if_any({"generation", kCount, "number of the generation", kTexts}),
    if_any({"reason", kText, "why the program's threads had to wait"}),
};
constexpr DescribedColumn kCapabilities[] = {
    {"stream", kCount, kStream},
    {"name", kText, kStreamName},
    {"mutator", kDuration, "time without a collection in which a thread ran"},
    {"mutator %", kPercent, "part of the wall time"},
    {"collector", kDuration, "time of collections (roles gcStart, gcEnd)"},
    {"collector %", kPercent, "part of the wall time"},
    {"work", kDuration, "part of `collector` in which it worked"},
    {"gc idle", kDuration, "part of `collector` in which it had nothing to do (role gcIdle)"},
    {"sync", kDuration, "part of `collector` in which it was done (role gcDone) and waited for other participants"},
    {"idle", kDuration, "the rest: neither `mutator` nor `collector`"},
    {"collections", kCount, "number of collections"},
};
constexpr DescribedColumn kSparks[] = {
    {"stream", kText, "name of the stream, or all"},
    {"all", kCount, "sparks that were created"},
    {"converted", kCount, "sparks that were run"},
    {"overflowed", kCount, "sparks for which there was no room"},
    {"dud", kCount, "sparks of already evaluated expressions"},
    {"collected", kCount, "sparks that were collected as garbage"},
    {"fizzled", kCount, "sparks that others evaluated before they were run"},
};

#define EVT_QUANTILES                                                                                               \
  {"trimmed mean", kDuration, "mean without the shortest and the longest 1 %"}, {"min", kDuration, "the shortest"}, \
      {"median", kDuration, kMedian}, {"p90", kDuration, "90th percentile"}, {"p95", kDuration, "95th percentile"}, \
      {"p99", kDuration, "99th percentile"}, {"p99.9", kDuration, "99.9th percentile"},                             \
      {"p*", kDuration, "with --percentile P: the Pth percentile"}, {                                               \
    "max", kDuration, "the longest"                                                                                 \
  }
#define EVT_LENGTHS                                                                                               \
  {"thread", kCount, kThread, kTexts}, if_any({"thread name", kText, kThreadName}),                               \
      {"count", kCount, "number that ended (roles span, spanBegin, spanEnd; call, callBegin, callEnd)"},          \
      {"sum", kDuration, "total time; recursion counts once"},                                                    \
      {"self", kDuration, "total time without nested spans and calls"}, EVT_QUANTILES,                            \
      {"subtracted", kDuration, "with --subtract: tracing overhead in them"},                                     \
      if_any({"unfinished", kCount, "not in `count`: the enclosing span or the thread ended first"}),             \
      if_any({"uncertain", kCount, "part of `count`: events lost during that time may have included their end"}), \
      if_any({"stopped", kDuration,                                                                               \
              "not in the times: their process was stopped (role stopped) while their thread was not waiting"})

constexpr DescribedColumn kSpans[] = {{"name", kText, "name of the spans"}, EVT_LENGTHS};
constexpr DescribedColumn kSpanCalls[] = {{"function", kText, "called function"}, EVT_LENGTHS};
constexpr DescribedColumn kAsync[] = {
    {"name", kText,
     "name of the asynchronous spans; a spanId pairs begin and end (roles asyncBegin, asyncEnd), perhaps on two "
     "threads"},
    {"count", kCount, "number that ended"},
    {"sum", kDuration, "total time, including stops and tracing overhead"},
    EVT_QUANTILES,
    if_any({"unfinished", kCount, "not in `count`: they did not end"}),
    if_any({"uncertain", kCount, "part of `count`: events of their process were lost during that time"}),
};
#undef EVT_LENGTHS
#undef EVT_QUANTILES

constexpr DescribedColumn kOpen[] = {
    {"stream", kCount, kStream},       {"thread", kCount, kThread, kTexts},
    {"kind", kText, kAnySpanKind},     {"open", kText, "name of the open span or call"},
    {"since", kTime, "when it began"}, {"for", kDuration, "time until the end"},
};
constexpr DescribedColumn kExtremes[] = {
    {"name", kText, "name of the span, or function"},
    {"kind", kText, kAnySpanKind},
    {"which", kText,
     "max: the longest; above p99 and below p99, if p99 is shorter than that: the nearest on either side of p99, "
     "within 1/128"},
    {"length", kDuration, "its duration"},
    {"began", kTime, "when it began, or the range if that is later"},
    {"stream", kCount, kStream},
    {"thread", kCount, kThread, kTexts},
};
constexpr DescribedColumn kLongest[] = {
    {"name", kText, "name of the span, or function"},
    {"kind", kText, kAnySpanKind},
    {"length", kDuration, "its duration"},
    {"began", kTime, "when it began, or the range if that is later"},
    {"stream", kCount, kStream},
    {"thread", kCount, kThread, kTexts},
    if_any({"thread name", kText, kThreadName}),
    {"self", kDuration, "its duration without nested spans and calls"},
    if_any({"object", kText, "name of the call's object, or its number"}),
};
constexpr DescribedColumn kCalls[] = {
    {"thread", kCount, kThread, kTexts},
    if_any({"thread name", kText, kThreadName}),
    {"threads", kText, "with --by pattern: the pattern of --thread"},
    {"name", kText, "name of the spans, or function"},
    {"kind", kText, kSpanKind},
    {"count", kCount, "number of spans or calls (roles span, spanBegin, spanEnd, call, callBegin, callEnd)"},
    {"sum", kDuration, "total time; recursion counts once"},
    {"sum %", kPercent, "part of the time of threads in spans and calls"},
    {"self", kDuration, "total time without nested spans and calls; over all names it adds up to `in calls`"},
    {"self %", kPercent, "part of the time of threads in spans and calls"},
    {"running", kDuration,
     "part of `self` in which the thread ran, or may have run if no event tells; without stops of the process"},
    if_any({"stopped", kDuration,
            "part of `self` in which the process was stopped (role stopped) and the thread was not waiting"}),
    if_any({"unfinished", kCount,
            "part of `count`: unfinished; their time counts until the end of the range or of the enclosing span"}),
    if_any({"subtracted", kDuration, "with --subtract: tracing overhead in them; not in `self` or `sum`"}),
};
constexpr DescribedColumn kInside[] = {
    {"in calls", kDuration, "time of threads in spans and calls"},
    {"running", kDuration, "part of that in which they ran"},
    {"stopped", kDuration, "part of that in which the process was stopped"},
    {"threads", kCount, "threads that were in spans and calls"},
    {"paths", kCount, "different stacks"},
};

#define EVT_RELATION(with, what)                                                                            \
  {"thread", kCount, kThread, kTexts}, if_any({"thread name", kText, kThreadName}),                         \
      {"threads", kText, "with --by pattern: the pattern of --thread"},                                     \
      {"name", kText, "name of the spans, or function"}, {"kind", kText, kSpanKind}, {with, kText, what},   \
      {with " kind", kText, "whether that is a span or a call"}, {"count", kCount, "how many there were"},  \
      {"sum", kDuration, "how long they took there"}, {"sum %", kPercent, "part of the sum of the name"}, { \
    "self", kDuration, "the same without nested spans and calls"                                            \
  }

constexpr DescribedColumn kCallers[] = {EVT_RELATION("caller", "directly enclosing span or call, or (none)")};
constexpr DescribedColumn kCallees[] = {EVT_RELATION("callee", "directly nested span or call, or (itself)")};
#undef EVT_RELATION

constexpr DescribedColumn kFolded[] = {
    {"stack", kText, "thread and names from the outermost to the innermost, with ; between them"},
    {"self", kDuration, "self time of its innermost"},
};
constexpr DescribedColumn kStacks[] = {
    {"thread", kCount, kThread, kTexts},
    if_any({"thread name", kText, kThreadName}),
    {"threads", kText, "with --by pattern: the pattern of --thread"},
    {"name", kText, "function; with --by module or line: its program or library, or its line too"},
    {"samples", kCount, "samples that found it running (role sample)"},
    {"sum", kDuration, "processor time of the samples that found it anywhere in the stack"},
    {"sum %", kPercent, "part of the time of all samples"},
    {"self", kDuration, "processor time of the samples that found it running"},
    {"self %", kPercent, "part of the time of all samples"},
    if_any({"error", kPercent,
            "one standard deviation of `self %`, wider where the samples differ in weight; empty with --waiting, or if "
            "the "
            "number of samples is unknown"}),
};
constexpr DescribedColumn kSampled[] = {
    {"sampled", kDuration, "processor time that the samples stand for"},
    {"samples", kCount, "how many there are"},
    {"paths", kCount, "different stacks"},
};

#define EVT_STACK_RELATION(with, what)                                                                  \
  {"thread", kCount, kThread, kTexts}, if_any({"thread name", kText, kThreadName}),                     \
      {"threads", kText, "with --by pattern: the pattern of --thread"}, {"name", kText, "function"},    \
      {with, kText, what}, {"samples", kCount, "samples that found the name running there"},            \
      {"sum", kDuration, "processor time there"}, {"sum %", kPercent, "part of the sum of the name"}, { \
    "self", kDuration, "the same without its callees"                                                   \
  }
constexpr DescribedColumn kStackCallers[] = {EVT_STACK_RELATION("caller", "its caller, or (none)")};
constexpr DescribedColumn kStackCallees[] = {EVT_STACK_RELATION("callee", "its callee, or (itself)")};
#undef EVT_STACK_RELATION

constexpr DescribedColumn kCounts[] = {
    {"function", kText, "called function"},
    {"library", kText, "what defines it"},
    if_any({"caller", kText, "program or library that imports it"}),
    if_any({"thread", kCount, kThread, kTexts}),
    if_any({"name", kText, kThreadName}),
    {"calls", kCount, "calls that have begun (role callCounts)"},
    if_any({"not returned", kCount, "those in progress at the end, or left by an exception or a jump"}),
    if_any({"timed", kCount, "returned calls that were timed; chosen at random, they stand for the others"}),
    if_any({"total", kDuration, "total time of returned calls"}),
    if_any({"error", kDuration, "standard error of `total`, if it is an estimate"}),
    if_any({"min", kDuration, "the shortest"}),
    if_any({"median", kDuration, "median duration, accurate to 1/8"}),
    if_any({"p99", kDuration, "99th percentile, accurate to 1/8"}),
    if_any({"max", kDuration, "the longest"}),
};

#define EVT_ACTIVE                                                                                      \
  {"active", kDuration,                                                                                 \
   "time with a thread active in it; no thread is active while its process is stopped (role stopped)"}, \
      {"serial", kDuration, "part of that with no other thread active"},                                \
      {"parallel", kDuration, "part of that with other threads active"},                                \
      {"parallelism", kNumber, "how many threads were active, on average"},                             \
      {"share", kDuration, "its part of the wall time, divided by the threads at each moment"}, {       \
    "%", kPercent, "the same, of the wall time"                                                         \
  }
#define EVT_MODELS                                                                                              \
  {"running", kDuration, "share by the model running"}, {"existing", kDuration, "share by the model existing"}, \
      {"existing off by", kDuration, "the same, minus `running`", kSigned},                                     \
      {"phase", kDuration, "share by the model phase"}, {                                                       \
    "phase off by", kDuration, "the same, minus `running`", kSigned                                             \
  }

constexpr DescribedColumn kShareTime[] = {
    {"model", kText, "which threads count as active"},
    {"wall", kDuration, "time between the first event and the last"},
    {"idle", kDuration, "part of that with no thread active"},
    {"serial", kDuration, "part of that with one thread active"},
    {"parallel", kDuration, "part of that with several threads active"},
    {"parallelism", kNumber, "how many threads were active, on average"},
};
constexpr DescribedColumn kShare[] = {
    {"name", kText, "name of the span, or function"},
    {"kind", kText, "span, call, thread or gc"},
    {"times", kCount, "how many there were"},
    EVT_ACTIVE,
    {"outliers", kCount,
     "those of `times` whose share is above twice the upper quartile of the name, and above it by more than three "
     "interquartile ranges"},
    {"share without", kDuration, "`share` without outliers, accurate to 0.4 % of them"},
};
constexpr DescribedColumn kShareThreads[] = {
    {"thread", kCount, kThread, kTexts},
    if_any({"name", kText, kThreadName}),
    EVT_ACTIVE,
    {"self", kDuration, "its share outside of spans and calls"},
};
constexpr DescribedColumn kModels[] = {
    {"name", kText, "name of the span, or function"}, {"kind", kText, "span, call, thread or gc"}, EVT_MODELS};
constexpr DescribedColumn kModelThreads[] = {
    {"thread", kCount, kThread, kTexts}, if_any({"name", kText, kThreadName}), EVT_MODELS};
#undef EVT_ACTIVE
#undef EVT_MODELS

constexpr DescribedColumn kUsageTime[] = {
    {"what", kText,
     "where the time of threads went: cpu, sleeping, in RESOURCE; for garbage collectors: gc work, gc idle, gc "
     "sync"},
    {"time", kDuration, "how long"},
    {"%", kPercent, "part of all of it"},
    if_any({"stopped", kDuration, "time in which the process was stopped"}),
    if_any({"assumed", kDuration, "part of `stopped` in calls for which no limit gives a minimum time"}),
};
constexpr DescribedColumn kUsageStops[] = {
    {"stop", kText, "number of the stop (the first 1000 only); all: overlapping stops count once"},
    if_any({"process", kText, kPart}),
    {"from", kTime, "when it began"},
    {"to", kTime, "when it ended"},
    {"stopped", kDuration, "how long it lasted"},
};

#define EVT_SUMS                                                                                            \
  {"calls", kCount, "number of calls"},                                                                     \
      if_any({"amount", kCount, "bytes or another amount stated by the calls (role amount)"}),              \
      {"time", kDuration, "time of calls, without stops of the process"},                                   \
      if_any({"rate", kRate, "amount per second of that time"}),                                            \
      if_any({"stopped", kDuration, "time in which the process was stopped"}),                              \
      if_any({"assumed", kDuration, "part of `stopped` in calls for which no limit gives a minimum time"}), \
      if_any({"subtracted", kDuration, "with --subtract: tracing overhead in them"})

constexpr const char* kResource = "kind of the resource";
constexpr DescribedColumn kResources[] = {
    if_any({"resource", kText, kResource}),
    if_any({"opened", kCount, "opened objects (role objectOpen)"}),
    if_any({"closed", kCount, "closed objects"}),
    if_any({"most open", kCount, "the most at one time"}),
    EVT_SUMS,
};
constexpr DescribedColumn kUsageLimits[] = {
    {"resource", kText, kResource},
    if_any({"object", kText, "object that has this limit; nothing for calls that have it, and with --limit"}),
    {"limit", kRate, "amount per second, at most"},
    {"calls", kCount, "calls that ended"},
    {"amount", kCount, "their amounts"},
    {"busy", kDuration,
     "least time that the limit allows for these amounts, one call after another; at most the duration of each call"},
    {"%", kPercent, "utilization: part of the time of the range in which it was busy"},
    {"longest", kDuration, "the longest time for which it was busy without a break"},
};
constexpr DescribedColumn kUsageThreads[] = {
    {"thread", kCount, kThread, kTexts},
    if_any({"name", kText, kThreadName}),
    {"cpu", kDuration, "time for which it ran outside of calls"},
    if_any({"runnable", kDuration, "time for which it was ready to run"}),
    if_any({"outside", kDuration, "time running where no event records it"}),
    if_any({"sleeping", kDuration, "time for which it waited outside of calls"}),
    if_any({"not known", kDuration, "time before an event recorded its state"}),
    if_any({"in others", kDuration, "time in calls of resources that have no column"}),
    {"in *", kDuration, "time in calls of the resource, one column for each of the 32 with the most"},
    if_any({"stopped", kDuration, "time in which the process was stopped"}),
    if_any({"assumed", kDuration, "part of `stopped` in calls for which no limit gives a minimum time"}),
};
constexpr DescribedColumn kUsageCalls[] = {{"thread", kCount, kThread, kTexts},
                                           if_any({"name", kText, kThreadName}),
                                           if_any({"resource", kText, kResource}),
                                           EVT_SUMS};
constexpr DescribedColumn kObjects[] = {
    {"object", kText, "name of the object, or its number"}, if_any({"resource", kText, kResource}), EVT_SUMS};
constexpr DescribedColumn kFunctions[] = {
    {"function", kText, "called function"}, if_any({"resource", kText, kResource}), EVT_SUMS};
constexpr DescribedColumn kUsesOfObjects[] = {{"function", kText, "called function"},
                                              {"object", kText, "name of the object, or its number; nothing for none"},
                                              if_any({"resource", kText, kResource}),
                                              EVT_SUMS};
#undef EVT_SUMS

constexpr const char* kLock = "name of the lock or barrier; without one, the waiting code and its number";
constexpr DescribedColumn kLocks[] = {
    {"lock", kText, kLock},
    {"waits", kCount, "calls that waited for it, and stops of threads for it outside of calls"},
    {"time", kDuration, "how long threads waited for it"},
    {"longest", kDuration, "the longest wait"},
    {"threads", kCount, "threads that waited for it"},
    {"most waiting", kCount, "largest number of threads that waited for it at once"},
    {"held", kDuration, "part of the waiting time in which the holder is known"},
};
constexpr DescribedColumn kHolders[] = {
    {"lock", kText, kLock},
    {"thread", kCount, "number of the thread that held it, as `thread` elsewhere; (not known)", kTexts},
    if_any({"name", kText, kThreadName}),
    if_any({"in", kText, "innermost span or call of that thread at that time"}),
    if_any({"object", kText, "object of that call: its name, or its number"}),
    {"time", kDuration, "how long threads waited for the lock during that time"},
    {"%", kPercent, "part of the time of all waits for the lock"},
};
constexpr DescribedColumn kStopped[] = {
    {"time", kDuration, "time between the first event and the last, or of the range"},
    {"stops", kCount, "number of stops"},
    {"stopped", kDuration, "total duration; overlaps count once, also between processes"},
    {"%", kPercent, "part of `time`"},
    if_any({"suspended", kDuration, "how long the machine slept, which does not count as trace time"}),
};
constexpr DescribedColumn kProcesses[] = {
    {"process", kText, kPart},
    {"stops", kCount, "number of stops"},
    {"stopped", kDuration, "how long they lasted"},
    {"%", kPercent, "part of the time"},
    if_any({"suspended", kDuration, "how long the machine slept"}),
};
constexpr DescribedColumn kStops[] = {
    {"stop", kCount, "number of the stop"},
    if_any({"process", kText, kPart}),
    {"from", kTime, "when it began, within the range"},
    {"to", kTime, "when it ended; empty if it had not ended by then"},
    {"stopped", kDuration, "how long it lasted"},
    if_any({"cause", kText,
            "signal: SIGSTOP or the terminal; pause: a freezer, a debugger or the machine; suspend: the machine slept; "
            "empty: the process noticed that it woke late (a lower bound)"}),
    if_any({"suspended", kDuration, "how long the machine slept"}),
};
constexpr DescribedColumn kCounters[] = {
    {"counter", kText, "name of the counter"},
    {"stream", kCount, "id of the stream whose events have its values"},
    {"name", kText, kStreamName},
    if_any({"unit", kText, "unit of its values; empty for a count"}),
    {"events", kCount, "events that gave it a value (roles counter, counterTotal, counterDelta)"},
    {"min", kNumber, "minimum, including its value at the start of the range"},
    {"mean", kNumber, "mean, weighted by time"},
    {"max", kNumber, "its greatest value"},
    {"last", kNumber, "its value at the end"},
    if_any({"growth", kNumber, "for a total: how much was added (roles counterTotal, counterDelta)"}),
    if_any({"rate", kRate, "`growth` per second since its first value, or the start of the range"}),
    if_any({"resets", kCount, "how often a total fell (counterTotal), which counts as a reset to 0"}),
};
constexpr DescribedColumn kHeap[] = {
    {"name", kText, "what the bytes belong to: cost centre, type, closure, source location of an info table ..."},
    if_any({"by", kText, "kind of profile: cost centre, closure type, info table ..."}),
    {"samples", kCount, "samples that have it (ghc.heap_prof_sample_cost_centre, ghc.heap_prof_sample_string)"},
    {"min", kBytes, "minimum of all samples; 0 if a sample lacks it"},
    {"mean", kBytes, "mean; each sample counts until the next one"},
    {"max", kBytes, "maximum of all samples"},
    {"last", kBytes, "in the last sample"},
};
constexpr DescribedColumn kOverhead[] = {
    {"events", kCount, "number of events"},
    {"emitting", kDuration, "cost of emitting all events: --cost for each"},
    {"self-reported", kDuration, "durations of events of role overhead"},
    {"all", kDuration, "`emitting` and `self-reported`"},
};
constexpr DescribedColumn kReasons[] = {
    {"reason", kText, "reason that an event of role overhead has"},
    {"stream", kCount, kStream},
    {"name", kText, kStreamName},
    {"thread", kCount, kThread, kTexts},
    {"thread name", kText, kThreadName},
    {"times", kCount, "number of such events"},
    {"sum", kDuration, "how long they took"},
    {"%", kPercent, "part of the wall time"},
    {"median", kDuration, kMedian},
    {"p99", kDuration, "99th percentile"},
    {"max", kDuration, "the longest"},
};
constexpr DescribedColumn kEmitting[] = {
    {"stream", kCount, kStream},
    {"name", kText, kStreamName},
    {"thread", kCount, kThread, kTexts},
    {"thread name", kText, kThreadName},
    {"events", kCount, "number of events"},
    {"emitting", kDuration, "cost of emitting them: --cost for each"},
    {"%", kPercent, "part of the wall time"},
};
constexpr DescribedColumn kCauses[] = {
    {"time", kDuration, "how much of the interval it took"},
    {"share", kPercent, "part of the interval"},
    {"what", kText, "the cause in words; below it come its own causes, then the rest of the enclosing cause"},
    {"level", kCount, "0 for what the thread itself did, one more for each cause above"},
    {"kind", kText,
     "running, outside, waiting, waking, runnable, collecting, stopped, uncertain, unknown, absent, and so on; of what "
     "ended a wait: woke, held, sent, ended, created"},
    {"thread", kText, "thread that did it"},
    {"name", kText, "its innermost span or call"},
    {"object", kText, "what it waited for, or its call was about: its name, or its number"},
    {"resource", kText, "kind of that object"},
    {"cpu", kCount, "runnable: the cpu on which it ran next"},
    {"other thread", kText, "runnable: the thread that ran there during that time"},
};
constexpr DescribedTable kTables[] = {
    {"overview", "overview", "The session in one row.", kWhole},
    {"overview", "load", "Running threads and recorded events over time: at most 48 equal steps.", kLoad, 2},
    {"overview", "top", "What the trace shows: the top row of each analysis that has any.", kTop, 1},
    {"summary", "session", "The session in one row.", kSession},
    {"summary", "types", "Events by type.", kTypes, 1},
    {"summary", "streams", "Streams.", kStreams, 2},
    {"summary", "losses", "Events that were lost, by cause.", kLosses, 2},
    {"summary", "clocks", "Clocks.", kClocks, 1},
    {"summary", "parts", "Parts of a merged session.", kParts, 1},
    {"cpu", "cpu", "How long threads ran, or cpus were used.", kCpu, 4},
    {"threads", "threads", "The life of each thread.", kThreads, 2},
    {"threads", "processes", "With --by process, instead of all others: the sums of each process's threads.",
     kThreadsOfProcesses, 1},
    {"threads", "collectors", "Garbage collectors, by stream.", kCollectors, 2},
    {"threads", "waiting", "What each thread waited for.", kWaiting, 2},
    {"threads", "wakers", "Who ended the waits of each thread.", kWakers, 2},
    {"latency", "threads", "How long threads waited for a cpu.", kDelaysOfThreads, 3},
    {"latency", "cpus", "The same, by the cpu on which they ran then.", kDelaysOfCpus, 3},
    {"latency", "pairs", "With --from-event and --to-event, instead of these: times from events to others.",
     kEventPairs, 3},
    {"latency", "longest",
     "With --from-event and --to-event, the longest of these times: five, or as many as --longest says.", kLongestPairs,
     2},
    {"gc", "gc", "Garbage collection, in one row.", kGc},
    {"gc", "pauses", "Garbage collection pauses, by generation.", kPauses, 1},
    {"gc", "reasons", "With --by reason, instead of pauses: the same by reason.", kPauseReasons, 1},
    {"gc", "utilization", "Least time left to the program in any window (minimum mutator utilization).", kUtilization,
     1},
    {"gc", "longest", "With --longest: the longest pauses, one by one.", kLongestPauses, 1},
    {"gc", "capabilities", "Time of each stream that runs threads.", kCapabilities, 2},
    {"gc", "sparks", "Sparks by outcome and stream.", kSparks, 1},
    {"spans", "spans", "Durations of spans, by name.", kSpans, 3},
    {"spans", "calls", "Durations of calls, by function.", kSpanCalls, 3},
    {"spans", "async", "Durations of asynchronous spans, by name.", kAsync, 1},
    {"spans", "open", "Spans and calls still open at the end.", kOpen, 4},
    {"spans", "extremes", "Where the longest spans, calls and asynchronous spans of each name were.", kExtremes, 3},
    {"spans", "longest", "With --longest: the longest spans, calls and asynchronous spans, one by one.", kLongest, 2},
    {"calls", "calls", "Time of spans and calls, by name.", kCalls, 5},
    {"calls", "inside", "Threads in spans and calls, in one row.", kInside},
    {"calls", "callers", "With --callers: callers of spans and calls.", kCallers, 7},
    {"calls", "callees", "With --callees: callees of spans and calls.", kCallees, 7},
    {"calls", "folded", "With --fold, instead of all others: each path with self time.", kFolded, 1},
    {"stacks", "stacks",
     "Processor time by function, from samples of stacks; with --waiting the time of long waits instead.", kStacks, 4},
    {"stacks", "sampled", "What was sampled, in one row.", kSampled},
    {"stacks", "callers", "With --callers: callers of functions.", kStackCallers, 5},
    {"stacks", "callees", "With --callees: callees of functions.", kStackCallees, 5},
    {"stacks", "folded", "With --fold, instead of all others: each stack with self time.", kFolded, 1},
    {"counts", "counts", "Counted calls.", kCounts, 5},
    {"share", "share", "The wall time, divided among spans and calls.", kShare, 2},
    {"share", "time", "The wall time, in one row.", kShareTime},
    {"share", "threads", "The wall time, divided among threads.", kShareThreads, 2},
    {"share", "models", "With --compare-models: shares of spans and calls by each model.", kModels, 2},
    {"share", "model_threads", "With --compare-models: shares of threads by each model.", kModelThreads, 2},
    {"usage", "time", "Where the time of threads went.", kUsageTime, 1},
    {"usage", "stops", "When the program was stopped.", kUsageStops, 1},
    {"usage", "resources", "Calls by resource.", kResources, 1},
    {"usage", "limits", "How near resources came to their limits: those that calls or objects state, or --limit.",
     kUsageLimits, 3},
    {"usage", "threads", "Where the time of each thread went.", kUsageThreads, 2},
    {"usage", "calls", "Calls by thread and resource.", kUsageCalls, 3},
    {"usage", "objects", "Calls by object.", kObjects, 2},
    {"usage", "functions", "Calls by function.", kFunctions, 2},
    {"usage", "uses", "With --by function,object, instead of all others: calls by function and object.", kUsesOfObjects,
     3},
    {"locks", "locks", "Waits by lock or barrier.", kLocks, 1},
    {"locks", "holders",
     "Waits by who held the lock, or came last to the barrier, and what that thread did during the wait.", kHolders, 5},
    {"stops", "stopped", "Stops of processes, in one row.", kStopped},
    {"stops", "processes", "Stops by process of a merged trace.", kProcesses, 1},
    {"stops", "stops", "Each stop.", kStops, 1},
    {"counters", "counters", "Values of counters.", kCounters, 3},
    {"heap", "heap", "What occupied the heap, by samples of a heap profile.", kHeap, 2},
    {"overhead", "overhead", "Cost of tracing, in one row.", kOverhead},
    {"overhead", "reasons", "Cost of tracing reported by its own events, by reason.", kReasons, 5},
    {"overhead", "emitting", "Events by stream and thread.", kEmitting, 4},
    {"events", "events", "How many events of each type.", kTypes, 1},
    {"why", "causes", "What an interval of a thread was spent on, from the largest cause to the smallest.", kCauses},
};

// With `every`, the first columns of each table; a table that already has such columns gets the other two.
constexpr DescribedColumn kStretch[] = {
    {"from", kTime, "start of the step"},
    {"to", kTime, "end of the step"},
    {"stretch from", kTime, "start of the step"},
    {"stretch to", kTime, "end of the step"},
};

bool is_of(const DescribedColumn& column, std::string_view name) {
  std::string_view described = column.name;
  if (!described.ends_with('*')) return described == name;
  described.remove_suffix(1);
  return name.starts_with(described);
}

const DescribedColumn* find(std::span<const DescribedColumn> columns, std::string_view name) {
  const auto found = std::ranges::find_if(columns, [&](const DescribedColumn& each) { return is_of(each, name); });
  return found != columns.end() ? &*found : nullptr;
}

Table with_columns(const DescribedTable& described, const std::vector<const char*>& keys) {
  std::vector<Table::Column> columns;
  const auto add = [&](const char* name, const DescribedColumn& column) {
    columns.push_back({name, column.kind, false, column.hides_if_empty, column.hides_if_empty});
  };
  for (const char* const key : keys) add(key, *find(described.columns, key));
  for (const DescribedColumn& column : described.columns.subspan(described.keys)) {
    if (!column.is_pattern()) add(column.name, column);
  }
  return {described.name, keys.size(), std::move(columns)};
}

}  // namespace

std::string DescribedColumn::key() const { return Table::Column{name, is_pattern() ? kText : kind}.key(); }

std::span<const DescribedTable> described_tables() { return kTables; }

const DescribedTable* described_table(std::string_view analysis, std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kTables, [&](const DescribedTable& table) { return table.analysis == analysis && table.name == name; });
  return found != std::end(kTables) ? found : nullptr;
}

Table new_table(std::string_view analysis, std::string_view name) {
  const DescribedTable& described = *described_table(analysis, name);
  std::vector<const char*> keys;
  for (const DescribedColumn& column : described.columns.first(described.keys)) keys.push_back(column.name);
  return with_columns(described, keys);
}

Table new_table(std::string_view analysis, std::string_view name, const std::vector<const char*>& keys) {
  return with_columns(*described_table(analysis, name), keys);
}

Table new_facts(std::string_view analysis, std::string_view name, Table::Row row) {
  return Table::facts(std::string(name), new_table(analysis, name).columns(), std::move(row));
}

Column described_column(const DescribedTable& table, const Table::Column& column) {
  const DescribedColumn* found = find(table.columns, column.name);
  if (found == nullptr) found = find(kStretch, column.name);
  Column meant = described_column(found != nullptr ? *found : DescribedColumn{"", column.kind, ""});
  meant.name = column.key();
  return meant;
}

Column described_column(const DescribedColumn& column) {
  Column meant;
  meant.name = column.key();
  meant.description = column.what;
  if (column.kind == kText || column.values == kTexts) {
    meant.kind = ColumnKind::kText;
    meant.is_dictionary = true;
  } else if (column.kind == kTime || column.values == kSigned) {
    meant.kind = ColumnKind::kSigned;
  } else if (column.kind == kPercent || column.kind == kRate || column.kind == kNumber) {
    meant.kind = ColumnKind::kFloat;
  }
  if (column.kind == kTime || column.kind == kDuration) meant.unit = "ns";
  if (column.kind == kPercent) meant.unit = "%";
  if (column.kind == kRate) meant.unit = "1/s";
  return meant;
}

}  // namespace evt::report
