#include "described_tables.h"

#include <algorithm>
#include <string>

namespace evt::report {
namespace {

using enum ValueKind;

// Of threads whose number another of a merged trace may have, or whose stream is all that is known: text.
constexpr const char* kThread = "number of the thread: `PART:` in front in a merged session, `#ID` for a stream's own";
constexpr const char* kThreadName = "name of the thread";
constexpr const char* kStream = "id of the stream";
constexpr const char* kStreamName = "name of the stream";
constexpr const char* kSpanKind = "span or call";
constexpr const char* kAnySpanKind = "span, call or async";
constexpr const char* kPart = "name of the part of a merged session";
constexpr const char* kMedian = "the length that half of them reach, right to 0.4 %";

constexpr DescribedColumn kSession[] = {
    {"program", kText, "name of the program"},
    {"uuid", kText, "the session's uuid"},
    {"start", kText, "when the session began, UTC"},
    {"from_ns", kTime, "the first event, or begin of the range"},
    {"to_ns", kTime, "the last event, or end of the range"},
    {"span_ns", kDuration, "time between"},
    {"events", kCount, "number of events"},
    {"rate_per_second", kRate, "events per second"},
    {"lost", kCount, "events that the program could not record"},
    {"missing", kCount, "events that were recorded and cannot be read"},
    {"streams", kCount, "number of streams"},
    {"types", kCount, "number of types"},
    {"end", kText, "how it ended: closed, continued, living, killed, truncated or unknown"},
};
constexpr DescribedColumn kTypes[] = {
    {"event", kText, "name of the type"},
    {"events", kCount, "number of events"},
    {"percent", kPercent, "part of all events"},
    {"rate_per_second", kRate, "events per second"},
};
constexpr DescribedColumn kStreams[] = {
    {"stream", kCount, kStream},
    {"name", kText, kStreamName},
    {"rows", kCount, "events, and records of losses and of jumps in time"},
    {"first_ns", kTime, "its first event"},
    {"last_ns", kTime, "its last event"},
    {"rate_per_second", kRate, "rows per second"},
    {"lost", kCount, "events that the program could not record"},
    {"missing", kCount, "events that were recorded and cannot be read"},
};
constexpr DescribedColumn kLosses[] = {
    {"stream", kCount, kStream},
    {"cause", kText, "why there was no room for them, as ring_full; null: not known"},
    {"events", kCount, "number of events"},
};
constexpr DescribedColumn kClocks[] = {
    {"clock", kCount, "id of the clock"},
    {"kind", kText, "kind of the clock"},
    {"name", kText, "name of the clock"},
    {"frequency", kCount, "ticks per second"},
    {"error_ns", kDuration, "how far it may be from the time shown; null: not known"},
};
constexpr DescribedColumn kParts[] = {
    {"part", kText, kPart},
    {"first_stream", kCount, "id of its first stream"},
    {"streams", kCount, "number of its streams"},
    {"alignment", kText, "how its time came onto the scale of all"},
    {"error_ns", kDuration, "how far off that may be; null: not known"},
};
constexpr DescribedColumn kCpu[] = {
    {"thread", kText, kThread},
    {"name", kText, kThreadName},
    {"cpu", kText, "number of the cpu"},
    {"cpu_name", kText, "name of the cpu"},
    {"running_ns", kDuration, "time for which the thread ran"},
    {"percent", kPercent, "part of the wall time"},
    {"current_ns", kDuration, "length of the run that goes on at the end, or of the last one"},
    {"so_far_ns", kDuration, "of that, what was until the end of the range"},
    {"slices", kCount, "number of runs"},
    {"uncertain_ns", kDuration, "of running_ns: the thread may have stopped unseen, because of a loss"},
    {"idle_ns", kDuration, "of cpus: time in which they had nothing to do"},
};
constexpr DescribedColumn kThreads[] = {
    {"thread", kText, kThread},
    {"name", kText, kThreadName},
    {"created_ns", kTime, "when it was created; null: no event records that"},
    {"ended_ns", kTime, "when it ended; null: no event records that"},
    {"state", kText, "at the end: running, runnable, waiting, outside, ended, or not known"},
    {"running_ns", kDuration, "time for which it ran"},
    {"runnable_ns", kDuration, "time for which it was ready to run"},
    {"waiting_ns", kDuration, "time for which it had stopped for a reason"},
    {"outside_ns", kDuration, "time for which it ran where no event records it"},
    {"not_known_ns", kDuration, "time before an event recorded its state"},
    {"uncertain_ns", kDuration, "of all of it: the state may have changed unseen, because of a loss"},
    {"slices", kCount, "number of runs"},
    {"cpus", kCount, "number of different cpus"},
    {"migrations", kCount, "runs that began on another cpu than the one before"},
    {"wakes", kCount, "waits that an event ended"},
};
constexpr DescribedColumn kCollectors[] = {
    {"gc_of_stream", kCount, "id of a stream that collects garbage"},
    {"name", kText, kStreamName},
    {"collections", kCount, "number of collections"},
    {"collecting_ns", kDuration, "time of them"},
    {"work_ns", kDuration, "of that, time for which it worked"},
    {"gc_idle_ns", kDuration, "of that, time for which it had nothing to do"},
    {"sync_ns", kDuration, "of that, time for which its part was done and it waited for others that took part"},
};
constexpr DescribedColumn kWaiting[] = {
    {"thread", kText, kThread},
    {"waits_for", kText, "reason of its waits"},
    {"times", kCount, "number of waits"},
    {"waiting_ns", kDuration, "time of them"},
};
constexpr DescribedColumn kWakers[] = {
    {"thread", kText, kThread},
    {"woken_by", kText, "number of the thread that ended its waits"},
    {"times", kCount, "number of waits"},
};
constexpr DescribedColumn kGc[] = {
    {"total_ns", kDuration, "wall time"},
    {"mutator_ns", kDuration, "time without a collection, and without stopping_ns"},
    {"collector_ns", kDuration, "time of collections"},
    {"stopping_ns", kDuration,
     "beside collections, time in which threads stopped for one, or for a concurrent collector"},
    {"concurrent_ns", kDuration, "time in which a collector worked beside the program's threads"},
    {"collections", kCount, "number of collections"},
    {"productivity_percent", kPercent, "mutator_ns as a part of total_ns"},
};
constexpr DescribedColumn kPauses[] = {
    {"generation", kText, "number of the generation; all; not known"},
    {"collections", kCount, "number of pauses"},
    {"sum_ns", kDuration, "time of them"},
    {"mean_ns", kDuration, "mean length"},
    {"min_ns", kDuration, "the shortest"},
    {"median_ns", kDuration, kMedian},
    {"p90_ns", kDuration, "the length that a tenth of them reach"},
    {"p99_ns", kDuration, "the length that a hundredth of them reach"},
    {"max_ns", kDuration, "the longest"},
};
constexpr DescribedColumn kPauseReasons[] = {
    {"reason", kText, "why the program's threads had to wait; all; not known"},
    {"collections", kCount, "number of pauses"},
    {"sum_ns", kDuration, "time of them"},
    {"mean_ns", kDuration, "mean length"},
    {"min_ns", kDuration, "the shortest"},
    {"median_ns", kDuration, kMedian},
    {"p90_ns", kDuration, "the length that a tenth of them reach"},
    {"p99_ns", kDuration, "the length that a hundredth of them reach"},
    {"max_ns", kDuration, "the longest"},
};
constexpr DescribedColumn kCapabilities[] = {
    {"stream", kCount, kStream},
    {"name", kText, kStreamName},
    {"mutator_ns", kDuration, "time without a collection in which a thread ran"},
    {"mutator_percent", kPercent, "part of the wall time"},
    {"collector_ns", kDuration, "time of collections"},
    {"collector_percent", kPercent, "part of the wall time"},
    {"work_ns", kDuration, "of collector_ns, time for which it worked"},
    {"gc_idle_ns", kDuration, "of collector_ns, time for which it had nothing to do"},
    {"sync_ns", kDuration, "of collector_ns, time for which its part was done and it waited for others that took part"},
    {"idle_ns", kDuration, "neither mutator nor collector"},
    {"collections", kCount, "number of collections"},
};
constexpr DescribedColumn kSparks[] = {
    {"stream", kText, "name of the stream, or all"},
    {"all", kCount, "sparks that were created"},
    {"converted", kCount, "sparks that were run"},
    {"overflowed", kCount, "sparks for which there was no room"},
    {"dud", kCount, "sparks of what was evaluated already"},
    {"collected", kCount, "sparks that were collected as garbage"},
    {"fizzled", kCount, "sparks that others evaluated before they were run"},
};

#define EVT_QUANTILES                                                                    \
  {"trimmed_mean_ns", kDuration, "mean without the shortest and the longest hundredth"}, \
      {"min_ns", kDuration, "the shortest"}, {"median_ns", kDuration, kMedian},          \
      {"p90_ns", kDuration, "the length that a tenth of them reach"},                    \
      {"p99_ns", kDuration, "the length that a hundredth of them reach"},                \
      {"p99.9_ns", kDuration, "the length that a thousandth of them reach"}, {           \
    "max_ns", kDuration, "the longest"                                                   \
  }
#define EVT_LENGTHS                                                                                                 \
  {"thread", kText, kThread}, {"thread_name", kText, kThreadName}, {"count", kCount, "number of those that ended"}, \
      {"sum_ns", kDuration, "time of those that are in no other of their name"},                                    \
      {"self_ns", kDuration, "the same without the time of spans and calls within them"}, EVT_QUANTILES,            \
      {"subtracted_ns", kDuration, "with subtract: what tracing took of them"},                                     \
      {"unfinished", kCount, "beside count: what was around them ended"},                                           \
      {"uncertain", kCount, "of count: events were lost meanwhile"}, {                                              \
    "stopped_ns", kDuration, "not in the times: their process was stopped"                                          \
  }

constexpr DescribedColumn kSpans[] = {{"name", kText, "name of the spans"}, EVT_LENGTHS};
constexpr DescribedColumn kSpanCalls[] = {{"function", kText, "function that is called"}, EVT_LENGTHS};
constexpr DescribedColumn kAsync[] = {
    {"name", kText, "name of the asynchronous spans"},
    {"count", kCount, "number of those that ended"},
    {"sum_ns", kDuration, "time of all, with that in which their process was stopped"},
    EVT_QUANTILES,
    {"unfinished", kCount, "beside count: they did not end"},
    {"uncertain", kCount, "of count: events of their process were lost meanwhile"},
};
#undef EVT_LENGTHS
#undef EVT_QUANTILES

constexpr DescribedColumn kOpen[] = {
    {"stream", kCount, kStream},          {"thread", kText, kThread},
    {"kind", kText, kAnySpanKind},        {"open", kText, "name of what is open at the end"},
    {"since_ns", kTime, "when it began"}, {"for_ns", kDuration, "time until the end"},
};
constexpr DescribedColumn kExtremes[] = {
    {"name", kText, "name of the span, or function"},
    {"kind", kText, kAnySpanKind},
    {"which", kText, "max: the longest; above p99, below p99: the nearest to that length"},
    {"length_ns", kDuration, "its length"},
    {"began_ns", kTime, "when it began, or the range if that is later"},
    {"stream", kCount, kStream},
    {"thread", kText, kThread},
};
constexpr DescribedColumn kLongest[] = {
    {"name", kText, "name of the span, or function"},
    {"kind", kText, kAnySpanKind},
    {"length_ns", kDuration, "its length"},
    {"began_ns", kTime, "when it began, or the range if that is later"},
    {"stream", kCount, kStream},
    {"thread", kText, kThread},
    {"thread_name", kText, kThreadName},
    {"self_ns", kDuration, "its length without the time of spans and calls within it"},
};
constexpr DescribedColumn kCalls[] = {
    {"thread", kText, kThread},
    {"thread_name", kText, kThreadName},
    {"threads", kText, "by pattern: the pattern of their threads' names"},
    {"name", kText, "name of the spans, or function"},
    {"kind", kText, kSpanKind},
    {"count", kCount, "number of spans or calls"},
    {"sum_ns", kDuration, "time of those that are in no other of their kind and name"},
    {"sum_percent", kPercent, "part of the time of threads in spans and calls"},
    {"self_ns", kDuration, "time in which no span or call was inside of it"},
    {"self_percent", kPercent, "part of the time of threads in spans and calls"},
    {"running_ns", kDuration, "of self_ns, time for which the thread ran"},
    {"stopped_ns", kDuration, "of self_ns, time for which the process was stopped"},
    {"unfinished", kCount, "of count: they did not end"},
    {"subtracted_ns", kDuration, "with subtract: what tracing took of them"},
};
constexpr DescribedColumn kInside[] = {
    {"in_calls_ns", kDuration, "time of threads in spans and calls"},
    {"running_ns", kDuration, "of that, time for which they ran"},
    {"stopped_ns", kDuration, "of that, time for which the process was stopped"},
    {"threads", kCount, "threads that were in spans and calls"},
    {"paths", kCount, "different stacks"},
};

#define EVT_RELATION(with, what)                                                                          \
  {"thread", kText, kThread}, {"thread_name", kText, kThreadName},                                        \
      {"threads", kText, "by pattern: the pattern of their threads' names"},                              \
      {"name", kText, "name of the spans, or function"}, {"kind", kText, kSpanKind}, {with, kText, what}, \
      {with "_kind", kText, "kind of that"}, {"count", kCount, "number of them"},                         \
      {"sum_ns", kDuration, "time of them"}, {"sum_percent", kPercent, "part of the sum of the name"}, {  \
    "self_ns", kDuration, "time of their own in it"                                                       \
  }

constexpr DescribedColumn kCallers[] = {EVT_RELATION("caller", "what was directly around; (none): nothing")};
constexpr DescribedColumn kCallees[] = {EVT_RELATION("callee", "what was directly inside; (itself): nothing")};
#undef EVT_RELATION

constexpr DescribedColumn kFolded[] = {
    {"stack", kText, "thread and names from the outermost to the innermost, with ; between them"},
    {"self_ns", kDuration, "time of its own"},
};
constexpr DescribedColumn kCounts[] = {
    {"function", kText, "function that is called"},
    {"library", kText, "what defines it"},
    {"caller", kText, "program or library that imports it"},
    {"thread", kText, kThread},
    {"name", kText, kThreadName},
    {"calls", kCount, "calls that have begun"},
    {"not_returned", kCount, "of them, at the end, or left by an exception or a jump"},
    {"timed", kCount, "of those that returned, those that represent the others"},
    {"total_ns", kDuration, "time of those that returned"},
    {"error_ns", kDuration, "standard error of that, if it is an estimate"},
    {"min_ns", kDuration, "the shortest"},
    {"median_ns", kDuration, "the length that half of them reach, to an eighth"},
    {"p99_ns", kDuration, "the length that a hundredth of them reach, to an eighth"},
    {"max_ns", kDuration, "the longest"},
};

#define EVT_ACTIVE                                                                                   \
  {"active_ns", kDuration, "time for which a thread was active in it"},                              \
      {"serial_ns", kDuration, "of that, time in which no other thread was active"},                 \
      {"parallel_ns", kDuration, "of that, time in which others were"},                              \
      {"parallelism", kNumber, "how many threads were active, on average"},                          \
      {"share_ns", kDuration, "its part of the wall time, divided by the threads at each moment"}, { \
    "percent", kPercent, "the same, of the wall time"                                                \
  }
#define EVT_MODELS                                                                                                    \
  {"running_ns", kDuration, "share by the model running"}, {"existing_ns", kDuration, "share by the model existing"}, \
      {"existing_off_by_ns", kDifference, "that, less the one by running"},                                           \
      {"phase_ns", kDuration, "share by the model phase"}, {                                                          \
    "phase_off_by_ns", kDifference, "that, less the one by running"                                                   \
  }

constexpr DescribedColumn kShareTime[] = {
    {"model", kText, "which threads count as active"},
    {"wall_ns", kDuration, "time between the first event and the last"},
    {"idle_ns", kDuration, "of that, time in which no thread was active"},
    {"serial_ns", kDuration, "of that, time in which one thread was active"},
    {"parallel_ns", kDuration, "of that, time in which several were"},
    {"parallelism", kNumber, "how many threads were active, on average"},
};
constexpr DescribedColumn kShare[] = {
    {"name", kText, "name of the span, or function"},
    {"kind", kText, "span, call, thread or gc"},
    {"times", kCount, "number of them"},
    EVT_ACTIVE,
    {"outliers", kCount, "of times, those whose share is far beyond the others of the name"},
    {"share_without_ns", kDuration, "share_ns without outliers"},
};
constexpr DescribedColumn kShareThreads[] = {
    {"thread", kText, kThread},
    {"name", kText, kThreadName},
    EVT_ACTIVE,
    {"self_ns", kDuration, "its share outside of spans and calls"},
};
constexpr DescribedColumn kModels[] = {
    {"name", kText, "name of the span, or function"}, {"kind", kText, "span, call, thread or gc"}, EVT_MODELS};
constexpr DescribedColumn kModelThreads[] = {{"thread", kText, kThread}, {"name", kText, kThreadName}, EVT_MODELS};
#undef EVT_ACTIVE
#undef EVT_MODELS

constexpr DescribedColumn kUsageTime[] = {
    {"what", kText, "where the time of threads went: cpu, sleeping, in RESOURCE, gc work ..."},
    {"time_ns", kDuration, "time of it"},
    {"percent", kPercent, "part of all of it"},
    {"stopped_ns", kDuration, "time in which the process was stopped"},
    {"assumed_ns", kDuration, "of that, time of calls of which no limit gives how long they must take"},
};
constexpr DescribedColumn kUsageStops[] = {
    {"stop", kText, "number of the stop; all: two at a time count once"},
    {"process", kText, kPart},
    {"from_ns", kTime, "when it began"},
    {"to_ns", kTime, "when it ended"},
    {"stopped_ns", kDuration, "time of it"},
};

#define EVT_SUMS                                                                                             \
  {"calls", kCount, "number of calls"}, {"amount", kCount, "bytes or whatever the calls state"},             \
      {"time_ns", kDuration, "time of calls, without that in which the process was stopped"},                \
      {"rate_per_second", kRate, "amount per second of that time"},                                          \
      {"stopped_ns", kDuration, "time in which the process was stopped"},                                    \
      {"assumed_ns", kDuration, "of that, time of calls of which no limit gives how long they must take"}, { \
    "subtracted_ns", kDuration, "with subtract: what tracing took of them"                                   \
  }

constexpr const char* kResource = "kind of the resource";
constexpr DescribedColumn kResources[] = {
    {"resource", kText, kResource},
    {"opened", kCount, "objects that were opened"},
    {"closed", kCount, "objects that were closed"},
    {"most_open", kCount, "the most at one time"},
    EVT_SUMS,
};
constexpr DescribedColumn kUsageThreads[] = {
    {"thread", kText, kThread},
    {"name", kText, kThreadName},
    {"cpu_ns", kDuration, "time for which it ran outside of calls"},
    {"runnable_ns", kDuration, "time for which it was ready to run"},
    {"outside_ns", kDuration, "time for which it ran where no event records it"},
    {"sleeping_ns", kDuration, "time for which it waited outside of calls"},
    {"not_known_ns", kDuration, "time before an event recorded its state"},
    {"in_others_ns", kDuration, "time in calls of resources that have no column"},
    {"in_*", kDuration, "time in calls of the resource, one column for each of the 32 with the most"},
    {"stopped_ns", kDuration, "time in which the process was stopped"},
    {"assumed_ns", kDuration, "of that, time of calls of which no limit gives how long they must take"},
};
constexpr DescribedColumn kUsageCalls[] = {
    {"thread", kText, kThread}, {"name", kText, kThreadName}, {"resource", kText, kResource}, EVT_SUMS};
constexpr DescribedColumn kObjects[] = {
    {"object", kText, "name of the object, or its number"}, {"resource", kText, kResource}, EVT_SUMS};
constexpr DescribedColumn kFunctions[] = {
    {"function", kText, "function that is called"}, {"resource", kText, kResource}, EVT_SUMS};
#undef EVT_SUMS

constexpr DescribedColumn kStopped[] = {
    {"time_ns", kDuration, "time between the first event and the last"},
    {"stops", kCount, "number of stops"},
    {"stopped_ns", kDuration, "time of them; what two have in common counts once"},
    {"percent", kPercent, "part of time_ns"},
    {"suspended_ns", kDuration, "how long the machine slept, which is no time of the trace"},
};
constexpr DescribedColumn kProcesses[] = {
    {"process", kText, kPart},
    {"stops", kCount, "number of stops"},
    {"stopped_ns", kDuration, "time of them"},
    {"percent", kPercent, "part of the time"},
    {"suspended_ns", kDuration, "how long the machine slept"},
};
constexpr DescribedColumn kStops[] = {
    {"stop", kCount, "number of the stop"},
    {"process", kText, kPart},
    {"from_ns", kTime, "when it began"},
    {"to_ns", kTime, "when it ended; null: not by the end"},
    {"stopped_ns", kDuration, "time of it"},
    {"cause", kText, "signal, pause or suspend; null: not known"},
    {"suspended_ns", kDuration, "how long the machine slept"},
};
constexpr DescribedColumn kOverhead[] = {
    {"events", kCount, "number of events"},
    {"emitting_ns", kDuration, "what emitting them took, by cost"},
    {"self_reported_ns", kDuration, "durations of events of role overhead"},
    {"all_ns", kDuration, "both"},
};
constexpr DescribedColumn kReasons[] = {
    {"reason", kText, "reason that an event of role overhead has"},
    {"stream", kCount, kStream},
    {"name", kText, kStreamName},
    {"thread", kText, kThread},
    {"thread_name", kText, kThreadName},
    {"times", kCount, "number of such events"},
    {"sum_ns", kDuration, "time of them"},
    {"percent", kPercent, "part of the wall time"},
    {"median_ns", kDuration, kMedian},
    {"p99_ns", kDuration, "the length that a hundredth of them reach"},
    {"max_ns", kDuration, "the longest"},
};
constexpr DescribedColumn kEmitting[] = {
    {"stream", kCount, kStream},
    {"name", kText, kStreamName},
    {"thread", kText, kThread},
    {"thread_name", kText, kThreadName},
    {"events", kCount, "number of events"},
    {"emitting_ns", kDuration, "what emitting them took, by cost"},
    {"percent", kPercent, "part of the wall time"},
};
constexpr DescribedColumn kEvents[] = {
    {"event", kText, "name of the type"},
    {"events", kCount, "number of events"},
    {"percent", kPercent, "part of all events"},
    {"rate_per_second", kRate, "events per second"},
};

constexpr DescribedTable kTables[] = {
    {"summary", "session", "The session in one row.", kSession},
    {"summary", "types", "Events by type.", kTypes},
    {"summary", "streams", "Streams.", kStreams},
    {"summary", "losses", "Events that were lost, by cause.", kLosses},
    {"summary", "clocks", "Clocks.", kClocks},
    {"summary", "parts", "Of a merged session: what it is made of.", kParts},
    {"cpu", "cpu", "How long threads ran, or cpus were used.", kCpu},
    {"threads", "threads", "The life of each thread.", kThreads},
    {"threads", "collectors", "Collectors of garbage, by stream.", kCollectors},
    {"threads", "waiting", "What each thread waited for.", kWaiting},
    {"threads", "wakers", "Who ended the waits of each thread.", kWakers},
    {"gc", "gc", "Collecting garbage, in one row.", kGc},
    {"gc", "pauses", "Pauses for collecting garbage, by generation.", kPauses},
    {"gc", "reasons", "With by=reason, instead of pauses: the same by reason.", kPauseReasons},
    {"gc", "capabilities", "Time of each stream that runs threads.", kCapabilities},
    {"gc", "sparks", "What became of sparks, by stream.", kSparks},
    {"spans", "spans", "Lengths of spans, by name.", kSpans},
    {"spans", "calls", "Lengths of calls, by function.", kSpanCalls},
    {"spans", "async", "Lengths of asynchronous spans, by name.", kAsync},
    {"spans", "open", "What is still open at the end.", kOpen},
    {"spans", "extremes", "Where the longest spans, calls and asynchronous spans of each name were.", kExtremes},
    {"spans", "longest", "With longest: the longest spans, calls and asynchronous spans, one by one.", kLongest},
    {"calls", "calls", "Time of spans and calls, by name.", kCalls},
    {"calls", "inside", "Threads in spans and calls, in one row.", kInside},
    {"calls", "callers", "With callers: what was around spans and calls.", kCallers},
    {"calls", "callees", "With callees: what was inside of them.", kCallees},
    {"calls", "folded", "With fold, instead of all others: each path with time of its own.", kFolded},
    {"counts", "counts", "Calls that were counted.", kCounts},
    {"share", "share", "The wall time, divided among spans and calls.", kShare},
    {"share", "time", "The wall time, in one row.", kShareTime},
    {"share", "threads", "The wall time, divided among threads.", kShareThreads},
    {"share", "models", "With compare_models: shares of spans and calls by each model.", kModels},
    {"share", "model_threads", "With compare_models: shares of threads by each model.", kModelThreads},
    {"usage", "time", "Where the time of threads went.", kUsageTime},
    {"usage", "stops", "When the program was stopped.", kUsageStops},
    {"usage", "resources", "Calls by resource.", kResources},
    {"usage", "threads", "Where the time of each thread went.", kUsageThreads},
    {"usage", "calls", "Calls by thread and resource.", kUsageCalls},
    {"usage", "objects", "Calls by object.", kObjects},
    {"usage", "functions", "Calls by function.", kFunctions},
    {"stops", "stopped", "Stops of processes, in one row.", kStopped},
    {"stops", "processes", "Stops by process of a merged trace.", kProcesses},
    {"stops", "stops", "Each stop.", kStops},
    {"overhead", "overhead", "What tracing took, in one row.", kOverhead},
    {"overhead", "reasons", "What tracing took by its own events, by reason.", kReasons},
    {"overhead", "emitting", "Events by stream and thread.", kEmitting},
    {"events", "events", "How many events of each type.", kEvents},
};

// With `every`, the first columns of each table; of one that has such columns of its own, the other two.
constexpr DescribedColumn kStretch[] = {
    {"from_ns", kTime, "begin of the stretch"},
    {"to_ns", kTime, "end of the stretch"},
    {"stretch_from_ns", kTime, "begin of the stretch"},
    {"stretch_to_ns", kTime, "end of the stretch"},
};

bool is_of(const DescribedColumn& column, std::string_view key) {
  std::string_view described = column.key;
  if (!described.ends_with('*')) return described == key;
  described.remove_suffix(1);
  return key.starts_with(described);
}

// Of a column that is not described.
ValueKind kind_of(CellKind kind) {
  switch (kind) {
    case CellKind::kText:
      return kText;
    case CellKind::kTime:
      return kTime;
    case CellKind::kDuration:
      return kDuration;
    case CellKind::kPercent:
      return kPercent;
    case CellKind::kRate:
      return kRate;
    case CellKind::kNumber:
      return kNumber;
    default:
      return kCount;
  }
}

Column column_of(std::string name, ValueKind kind, const char* what) {
  Column column;
  column.name = std::move(name);
  column.description = what;
  switch (kind) {
    case kText:
      column.kind = ColumnKind::kText;
      column.is_dictionary = true;
      break;
    case kCount:
      break;
    case kTime:
    case kDifference:
      column.kind = ColumnKind::kSigned;
      column.unit = "ns";
      break;
    case kDuration:
      column.unit = "ns";
      break;
    default:
      column.kind = ColumnKind::kFloat;
      column.unit = kind == kPercent ? "%" : kind == kRate ? "1/s" : "";
  }
  return column;
}

}  // namespace

std::span<const DescribedTable> described_tables() { return kTables; }

const DescribedTable* described_table(std::string_view analysis, std::string_view name) {
  const auto* const found = std::find_if(std::begin(kTables), std::end(kTables), [&](const DescribedTable& table) {
    return table.analysis == analysis && table.name == name;
  });
  return found != std::end(kTables) ? found : nullptr;
}

Column described_column(const DescribedTable& table, const Table::Column& column) {
  const std::string key = column.key();
  for (const std::span<const DescribedColumn> columns : {table.columns, std::span<const DescribedColumn>(kStretch)}) {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const DescribedColumn& each) { return is_of(each, key); });
    if (found != columns.end()) return column_of(key, found->kind, found->what);
  }
  return column_of(key, kind_of(column.kind), "");
}

Column described_column(const DescribedColumn& column) { return column_of(column.key, column.kind, column.what); }

}  // namespace evt::report
