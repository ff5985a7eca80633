// An analysis, over the events of one session, into tables.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/collections.h>
#include <evt/analysis/span_doubts.h>
#include <evt/analysis/stack_paths.h>
#include <evt/analysis/state_history.h>
#include <evt/report.h>
#include <evt/timeline.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "described_tables.h"
#include "named_counts.h"

namespace evt::report {

inline constexpr const char* kNoEvent = "no event";

// Input of an analysis, which must outlive it.
struct AnalysisInput {
  Trace& trace;
  Timeline& timeline;
  const AnalysisOptions& options;
  bool is_part = false;            // only a part of the session is requested
  bool has_filter = false;         // not all of its events
  bool leaves_out = false;         // existing data is left out, in either way
  const CpuTime& cpu;              // the state before the first item,
  const Collections& collections;  // and of these
  // The beginning of sentences about missing events.
  const char* no_event() const { return leaves_out ? "no event that is counted here" : kNoEvent; }
};

class Analysis {
 public:
  virtual ~Analysis() = default;

  virtual void take(const TimelineItem& item) = 0;
  // The kinds of items that it wants: it may get more.
  virtual ItemKinds items() const { return ItemKinds::all(); }
  // The events whose items of kind kRow it wants, one for each event: it may get more.
  virtual RoleSet rows() const { return RoleSet::all(); }
  // Counts only from this moment on; earlier items have been taken.
  virtual void restart(std::int64_t ns) = 0;
  // Like restart(), at the first event of all: what it records may have begun earlier, and most analyses count that,
  // too.
  virtual void begin(std::int64_t) {}
  // Counts anew from this moment on, where a stretch of the range follows another.
  virtual void begin_stretch(std::int64_t ns) { restart(ns); }
  virtual Findings finish(TimeRange range) = 0;
  // A copy that continues from here independently.
  virtual std::unique_ptr<Analysis> copy() const = 0;
};

// An analysis whose copy() uses its copy constructor.
template <typename Self>
class CopiedAnalysis : public Analysis {
 public:
  std::unique_ptr<Analysis> copy() const override { return std::make_unique<Self>(static_cast<const Self&>(*this)); }
};

// The states at two moments, and the times of a session between them.
struct BetweenStates {
  const SessionState& before;
  const SessionState& after;
  const RunEnds& run_ends;  // for the runs in progress at `after`
  TimeRange range;
  const AnalysisOptions& options;
};

struct AnalysisKind {
  const char* name;
  const char* what;
  std::unique_ptr<Analysis> (*make)(const AnalysisInput& input);
  std::span<const char* const> options = {};  // known options: of those that are not for all analyses
  std::span<const char* const> by = {};       // values of --by
  bool needs_all = false;                     // before a range, also what is not in progress where it begins
  bool pairs_events = false;  // a begin and its end, a run and its stop: sampled events would make it wrong
  // The findings between two moments, if they follow from the states at them.
  Findings (*from_states)(const BetweenStates& states) = nullptr;
  // The findings for a whole session, if its index shows them.
  std::optional<Findings> (*from_index)(const Session& session, TimeRange range,
                                        const AnalysisOptions& options) = nullptr;
};

// In the order of the help.
std::span<const AnalysisKind> analysis_kinds();
const AnalysisKind* analysis_kind(const std::string& name);
bool knows(const AnalysisKind& kind, std::string_view option);
// Options that some analyses know and others do not, each once.
std::vector<std::string> analysis_options();

std::unique_ptr<Analysis> make_calls(const AnalysisInput& input);
std::unique_ptr<Analysis> make_stacks(const AnalysisInput& input);
std::unique_ptr<Analysis> make_counters(const AnalysisInput& input);
std::unique_ptr<Analysis> make_counts(const AnalysisInput& input);
std::unique_ptr<Analysis> make_cpu(const AnalysisInput& input);
std::unique_ptr<Analysis> make_events(const AnalysisInput& input);
std::unique_ptr<Analysis> make_gc(const AnalysisInput& input);
std::unique_ptr<Analysis> make_heap(const AnalysisInput& input);
std::unique_ptr<Analysis> make_latency(const AnalysisInput& input);
std::unique_ptr<Analysis> make_locks(const AnalysisInput& input);
std::unique_ptr<Analysis> make_overhead(const AnalysisInput& input);
std::unique_ptr<Analysis> make_overview(const AnalysisInput& input);
std::unique_ptr<Analysis> make_share(const AnalysisInput& input);
std::unique_ptr<Analysis> make_spans(const AnalysisInput& input);
std::unique_ptr<Analysis> make_stops(const AnalysisInput& input);
std::unique_ptr<Analysis> make_threads(const AnalysisInput& input);
std::unique_ptr<Analysis> make_usage(const AnalysisInput& input);

// Number of events of each type, the largest first; those with equal numbers in the order of `counts`. `name`: one of
// the tables of the analysis.
Table table_of_counts(const char* analysis, const char* name, const NamedCounts& counts, TimeRange range);
// evt stats summary: the declarations of a trace.
Findings summary_of(const Trace& trace, const Session& session, const NamedCounts& counts, TimeRange range);
Findings cpu_of_states(const BetweenStates& states);
std::optional<Findings> events_of_index(const Session& session, TimeRange range, const AnalysisOptions& options);
std::optional<Findings> gc_of_index(const Session& session, TimeRange range, const AnalysisOptions& options);
std::optional<Findings> overhead_of_index(const Session& session, TimeRange range, const AnalysisOptions& options);
Findings events_of_states(const BetweenStates& states);

// An actor as a cell: its number, or a text with its part or stream.
Cell actor_cell(const Actors& actors, const ActorList& table, std::uint32_t index);
// By part and number, not in the order in which events named them.
bool comes_before(const ActorList& table, std::uint32_t a, std::uint32_t b);
// Its name; empty if it has none.
Cell actor_name(const ActorList& table, std::uint32_t index);
// Missing rows: if the session's end is unknown and some are missing, there may be more.
Cell missing_of(const Session& session, std::uint64_t rows);

// The whole may be 0.
Cell percent_of(std::uint64_t part, std::uint64_t whole);
// Per second; empty if no time passed.
Cell rate_of(std::uint64_t count, std::uint64_t ns);
std::uint64_t length_of(TimeRange range);
// Not an Analysis, but called like one.
inline constexpr const char* kSummary = "summary";
// What evt stats prints unless it is asked for something else.
inline constexpr const char* kOverview = "overview";
// Sentences of several analyses.
inline constexpr const char* kOnlySelfReportedCost =
    "the cost of emitting an event is unknown (option cost): only self-reported overhead is subtracted";
inline constexpr const char* kTooManyNames = "there are more than 65536 names: the rest is merged into (other names)";
// Adds a note if there were more threads or cpus than are followed.
void add_others(const Actors& actors, Findings* findings);
// Adds a note about the part of a time that is uncertain, because of losses; nothing if none is. `of`: "the threads'
// time".
void add_uncertain(std::uint64_t ns, const char* of, std::vector<std::string>* notes);
// Sentences about contradictions.
void add_doubts(const Timeline::Doubts& doubts, std::vector<std::string>* notes);
// About spans, calls or asynchronous spans; and about the first two.
void add_span_notes(const SpanDoubts& doubts, SpanKind kind, std::vector<std::string>* notes);
void add_span_notes(const SpanDoubts& doubts, std::vector<std::string>* notes);
const char* word_of(SpanKind kind);
// A sentence: so many threads were assumed to run in spans and calls.
std::string assumed_to_run(std::uint64_t threads);
// A sentence: the share of time whose stacks are incomplete. Empty below a tenth.
std::string truncated_stacks(const StackPaths& paths);
// `count` things, in a sentence: "1 event", "2 events".
std::string counted(std::uint64_t count, const char* thing);

}  // namespace evt::report
