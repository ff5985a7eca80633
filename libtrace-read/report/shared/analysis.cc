#include "analysis.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "libtrace-read/text/number_with_unit.h"

namespace evt::report {
namespace {

constexpr const char* kByCpu[] = {"thread", "cpu", "thread,cpu", "cpu,thread"};
constexpr const char* kByCalls[] = {"thread", "pattern"};
constexpr const char* kByCounts[] = {"function", "caller", "thread"};
constexpr const char* kByGc[] = {"reason"};
constexpr const char* kBySpans[] = {"thread"};
constexpr const char* kByStacks[] = {"thread", "pattern", "module", "line"};
constexpr const char* kByThreads[] = {"process"};
constexpr const char* kByUsage[] = {"function", "object", "thread", "resource", "function,object"};

constexpr const char* kOfCalls[] = {"--by", "--thread", "--callers", "--callees", "--fold", "--subtract", "--cost"};
constexpr const char* kOfCounts[] = {"--by"};
constexpr const char* kOfCpu[] = {"--by"};
constexpr const char* kOfGc[] = {"--by", "--longest"};
constexpr const char* kOfLatency[] = {"--from-event", "--to-event", "--key", "--longest"};
constexpr const char* kOfOverhead[] = {"--cost"};
constexpr const char* kOfShare[] = {"--model", "--compare-models"};
constexpr const char* kOfSpans[] = {"--by", "--longest", "--percentile", "--subtract", "--cost"};
constexpr const char* kOfStacks[] = {"--by", "--thread", "--callers", "--callees", "--fold", "--waiting"};
constexpr const char* kOfThreads[] = {"--by"};
constexpr const char* kOfUsage[] = {"--by", "--limit", "--subtract", "--cost"};

constexpr AnalysisKind kKinds[] = {
    {.name = kOverview,
     .what = "one screen: load over time, and the top row of every other analysis",
     .make = make_overview},
    {.name = "cpu",
     .what = "how long each thread ran, and on which cpu",
     .make = make_cpu,
     .options = kOfCpu,
     .by = kByCpu,
     .pairs_events = true,
     .from_states = cpu_of_states},
    {.name = "threads",
     .what = "the life of each thread: running, runnable, waiting and for what",
     .make = make_threads,
     .options = kOfThreads,
     .by = kByThreads,
     .pairs_events = true},
    {.name = "latency",
     .what = "how long threads waited for a cpu; times between pairs of events",
     .make = make_latency,
     .options = kOfLatency,
     .pairs_events = true},
    {.name = "gc",
     .what = "garbage collection pauses, time of collectors and mutators, sparks",
     .make = make_gc,
     .options = kOfGc,
     .by = kByGc,
     .pairs_events = true,
     .from_index = gc_of_index},
    {.name = "spans",
     .what = "how long spans and calls took, with and without nested ones",
     .make = make_spans,
     .options = kOfSpans,
     .by = kBySpans,
     .pairs_events = true},
    {.name = "calls",
     .what = "who calls whom: time by name, by caller, by callee, and as folded stacks",
     .make = make_calls,
     .options = kOfCalls,
     .by = kByCalls,
     .pairs_events = true},
    {.name = "stacks",
     .what = "which functions took the processor time or waited, and who called them, from samples",
     .make = make_stacks,
     .options = kOfStacks,
     .by = kByStacks},
    {.name = "counts",
     .what = "counted calls by function, caller and thread: number and time",
     .make = make_counts,
     .options = kOfCounts,
     .by = kByCounts},
    {.name = "share",
     .what = "wall time, divided among the spans, calls and threads active at each moment",
     .make = make_share,
     .options = kOfShare,
     .pairs_events = true},
    {.name = "usage",
     .what = "calls by function, object and resource: amount, speed and stops",
     .make = make_usage,
     .options = kOfUsage,
     .by = kByUsage,
     .needs_all = true,
     .pairs_events = true},
    {.name = "locks",
     .what = "how long threads waited for each lock, and who was holding it",
     .make = make_locks,
     .needs_all = true,
     .pairs_events = true},
    {.name = "stops", .what = "when processes were stopped, for how long, and by what", .make = make_stops},
    {.name = "counters", .what = "minimum, mean, maximum and growth of counters", .make = make_counters},
    {.name = "heap",
     .what = "what occupied the heap: minimum, mean and maximum per name in a GHC heap profile",
     .make = make_heap},
    {.name = "overhead",
     .what = "the cost of tracing itself, by reason and stream",
     .make = make_overhead,
     .options = kOfOverhead,
     .from_index = overhead_of_index},
    {.name = "events",
     .what = "number of events of each type",
     .make = make_events,
     .from_states = events_of_states,
     .from_index = events_of_index},
};

}  // namespace

std::span<const AnalysisKind> analysis_kinds() { return kKinds; }

const AnalysisKind* analysis_kind(const std::string& name) {
  const auto found = std::ranges::find_if(kKinds, [&](const AnalysisKind& kind) { return kind.name == name; });
  return found != std::end(kKinds) ? &*found : nullptr;
}

bool knows(const AnalysisKind& kind, std::string_view option) {
  return std::ranges::find(kind.options, option) != kind.options.end();
}

std::vector<std::string> analysis_options() {
  std::vector<std::string> all;
  for (const AnalysisKind& kind : kKinds) {
    for (const char* const option : kind.options) {
      if (std::ranges::find(all, option) == all.end()) all.emplace_back(option);
    }
  }
  return all;
}

Cell actor_cell(const Actors& actors, const ActorList& table, std::uint32_t index) {
  if (index == Actor::kOthers) return std::string("(others)");
  const Actor& actor = table[index];
  const auto number = [&] { return actor.is_stream ? fmt::format("#{}", actor.number) : std::to_string(actor.number); };
  if (actor.part != Actor::kNone) return fmt::format("{}:{}", actors.session().part_name(actor.part), number());
  return actor.is_stream ? Cell(number()) : Cell(actor.number);
}

bool comes_before(const ActorList& table, std::uint32_t a, std::uint32_t b) {
  const auto place = [&](std::uint32_t index) {
    if (index >= table.size()) return std::tuple(UINT32_MAX, true, std::uint64_t{0}, index);
    const Actor& actor = table[index];
    return std::tuple(actor.part + 1, actor.is_stream, actor.number, index);
  };
  return place(a) < place(b);
}

Cell missing_of(const Session& session, std::uint64_t rows) {
  const Cell cell(rows);
  return rows > 0 && session.is_truncated() ? cell.or_more() : cell;
}

Cell actor_name(const ActorList& table, std::uint32_t index) { return table[index].name; }

Cell percent_of(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

Cell rate_of(std::uint64_t count, std::uint64_t ns) {
  if (ns == 0) return {};
  return static_cast<double>(count) / (static_cast<double>(ns) * 1e-9);
}

std::uint64_t length_of(TimeRange range) {
  return range.to_ns > range.from_ns
             ? static_cast<std::uint64_t>(range.to_ns) - static_cast<std::uint64_t>(range.from_ns)
             : 0;
}

void add_others(const Actors& actors, Findings* findings) {
  for (const auto& [list, things] : {std::pair(actors.threads(), "threads"), std::pair(actors.cpus(), "cpus")}) {
    const auto say = [&, things = things, most = list.most()](const std::string& what) {
      findings->add_missing(fmt::format("there are more than {} {}: {}", most, things, what));
    };
    if (list.folded() > 0) say(fmt::format("{} that ended are one row, (others)", list.folded()));
    if (list.no_room() > 0) {
      say(fmt::format("the times of others ({}) are not known", counted(list.no_room(), "event")));
    }
  }
}

void add_uncertain(std::uint64_t ns, const char* of, std::vector<std::string>* notes) {
  if (ns == 0) return;
  notes->push_back(fmt::format("{} of {} is uncertain: threads may have changed state unseen, because events were lost",
                               duration_text(ns), of));
}

void add_doubts(const Timeline::Doubts& doubts, std::vector<std::string>* notes) {
  const auto add = [&](std::uint64_t count, const char* what, const char* so) {
    if (count > 0) notes->push_back(fmt::format("{}: {}: {}", what, count, so));
  };
  add(doubts.unmatched_stops, "stops of threads that did not run",
      "since when they ran is not known, and that time is not counted");
  add(doubts.replaced, "threads that did not stop before another ran on their cpu", "taken to have stopped then");
  add(doubts.moved, "threads that did not stop before they ran on another cpu", "taken to have stopped then");
  add(doubts.jumps, "steps back in time", "until a stream is back where it was, its activity takes no time");
}

const char* word_of(SpanKind kind) {
  if (kind == SpanKind::kAsync) return "async";
  return kind == SpanKind::kSpan ? "span" : "call";
}

void add_span_notes(const SpanDoubts& doubts, SpanKind kind, std::vector<std::string>* notes) {
  const SpanDoubts::Counts& counts = doubts.of(kind);
  const bool is_async = kind == SpanKind::kAsync;
  const std::string word = is_async ? "asynchronous span" : word_of(kind);
  const auto say = [&](std::uint64_t count, const std::string& thing, const std::string& what) {
    if (count > 0) notes->push_back(counted(count, thing.c_str()) + " " + what);
  };
  say(counts.unmatched_ends, "end", "of " + word + "s that were not seen to begin: not counted");
  say(counts.open_at_end, word, "unfinished at the end");
  say(counts.left_open, word,
      is_async ? "unfinished when more than 65536 were open: the oldest" : "unfinished when the enclosing one ended");
  say(counts.overlaps, word, "overlapping another without nesting: common time counts for the later one");
  if (is_async) {
    say(counts.not_timed, "begin or end", "of asynchronous spans without an id: not counted");
  } else {
    say(counts.not_timed, word, "without a valid duration: not counted");
  }
  say(counts.negative, word, "with a negative duration: counted as 0");
  say(counts.uncertain, word,
      std::string("uncertain: events of the same ") + (is_async ? "process" : "stream") +
          " were lost during that time");
  say(counts.clipped, word, "begun before the requested time: counted from the start of that time");
}

void add_span_notes(const SpanDoubts& doubts, std::vector<std::string>* notes) {
  for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall}) add_span_notes(doubts, kind, notes);
}

std::string assumed_to_run(std::uint64_t threads) {
  return fmt::format(
      "{} in spans or calls before any event shows {} to run or stop (roles threadRun, threadStop): "
      "taken to run in them",
      counted(threads, "thread"), threads == 1 ? "it" : "them");
}

std::string truncated_stacks(const StackPaths& paths) {
  std::uint64_t all = 0;
  for (const CallPaths::Inside& inside : paths.inside()) all += inside.time.ns;
  const std::uint64_t truncated = paths.doubts().truncated_ns;
  if (truncated == 0 || truncated < all / 10) return "";
  return fmt::format("{:.0f} % of the sampled time has incomplete stacks: the callers beyond are [truncated]",
                     100.0 * static_cast<double>(truncated) / static_cast<double>(all));
}

std::string counted(std::uint64_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace evt::report
