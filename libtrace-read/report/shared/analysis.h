// An analysis, over the events of one session, into tables.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/collections.h>
#include <evt/analysis/span_doubts.h>
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

// What an analysis is made for. All of it outlives the analysis.
struct AnalysisInput {
  Trace& trace;
  Timeline& timeline;
  const AnalysisOptions& options;
  bool is_part = false;            // not all of the session is asked for
  bool has_filter = false;         // not all of its events
  bool leaves_out = false;         // something that is there, either way
  const CpuTime& cpu;              // what is known before the first item,
  const Collections& collections;  // and of these
  // How sentences begin about events of which there is none.
  const char* no_event() const { return leaves_out ? "no event that is counted here" : kNoEvent; }
};

class Analysis {
 public:
  virtual ~Analysis() = default;

  virtual void take(const TimelineItem& item) = 0;
  // Of which kinds it wants items: it may get more.
  virtual ItemKinds items() const { return ItemKinds::all(); }
  // Of which events it wants the items of kind kRow, of which there is one for each event: it may get more.
  virtual RoleSet rows() const { return RoleSet::all(); }
  // Counts from this moment on alone; the items before have been taken.
  virtual void restart(std::int64_t ns) = 0;
  // The same at the first event of all: what it records may have begun before it, and most count that, too.
  virtual void begin(std::int64_t) {}
  virtual Findings finish(TimeRange range) = 0;
  // One that goes on from here by itself.
  virtual std::unique_ptr<Analysis> copy() const = 0;
};

// Of an analysis that is made by its copy constructor.
template <typename Self>
class CopiedAnalysis : public Analysis {
 public:
  std::unique_ptr<Analysis> copy() const override { return std::make_unique<Self>(static_cast<const Self&>(*this)); }
};

// The states at two moments, and between which times of a session they are.
struct BetweenStates {
  const SessionState& before;
  const SessionState& after;
  const RunEnds& run_ends;  // of the runs that go on at the second
  TimeRange range;
  const AnalysisOptions& options;
};

struct AnalysisKind {
  const char* name;
  const char* what;
  std::unique_ptr<Analysis> (*make)(const AnalysisInput& input);
  std::span<const char* const> options = {};  // that it knows: of those that are not for all analyses
  std::span<const char* const> by = {};       // values of --by
  bool needs_all = false;                     // before a range, also what is not going on where it begins
  bool pairs_events = false;  // a begin and its end, a run and its stop: of sampled events it would be wrong
  // What was between two moments, if it follows from the states at them.
  Findings (*from_states)(const BetweenStates& states) = nullptr;
  // What was in all of a session, if its index shows that.
  std::optional<Findings> (*from_index)(const Session& session, TimeRange range,
                                        const AnalysisOptions& options) = nullptr;
};

// In the order of the help.
std::span<const AnalysisKind> analysis_kinds();
const AnalysisKind* analysis_kind(const std::string& name);
bool knows(const AnalysisKind& kind, std::string_view option);
// What some analyses know and others do not, each once.
std::vector<std::string> analysis_options();

std::unique_ptr<Analysis> make_calls(const AnalysisInput& input);
std::unique_ptr<Analysis> make_counts(const AnalysisInput& input);
std::unique_ptr<Analysis> make_cpu(const AnalysisInput& input);
std::unique_ptr<Analysis> make_events(const AnalysisInput& input);
std::unique_ptr<Analysis> make_gc(const AnalysisInput& input);
std::unique_ptr<Analysis> make_overhead(const AnalysisInput& input);
std::unique_ptr<Analysis> make_share(const AnalysisInput& input);
std::unique_ptr<Analysis> make_spans(const AnalysisInput& input);
std::unique_ptr<Analysis> make_stops(const AnalysisInput& input);
std::unique_ptr<Analysis> make_threads(const AnalysisInput& input);
std::unique_ptr<Analysis> make_usage(const AnalysisInput& input);

// How many events of each type, the most first; those of one number in the order of `counts`. `name`: of one of the
// tables of the analysis.
Table table_of_counts(const char* analysis, const char* name, const NamedCounts& counts, TimeRange range);
// evt stats summary: what a trace declares.
Findings summary_of(const Trace& trace, const Session& session, const NamedCounts& counts, TimeRange range);
Findings cpu_of_states(const BetweenStates& states);
std::optional<Findings> events_of_index(const Session& session, TimeRange range, const AnalysisOptions& options);
std::optional<Findings> gc_of_index(const Session& session, TimeRange range, const AnalysisOptions& options);
std::optional<Findings> overhead_of_index(const Session& session, TimeRange range, const AnalysisOptions& options);
Findings events_of_states(const BetweenStates& states);

// An actor as a cell: its number, or a text with the part or stream that it is of.
Cell actor_cell(const Actors& actors, const ActorList& table, std::uint32_t index);
// By part and number, not in the order in which events named them.
bool comes_before(const ActorList& table, std::uint32_t a, std::uint32_t b);
// Its name; empty if it has none.
Cell actor_name(const ActorList& table, std::uint32_t index);

// Of a whole that may be 0.
Cell percent_of(std::uint64_t part, std::uint64_t whole);
// Per second; nothing where no time passed.
Cell rate_of(std::uint64_t count, std::uint64_t ns);
std::uint64_t length_of(TimeRange range);
// What is no Analysis, and is called like one.
inline constexpr const char* kSummary = "summary";
// Sentences of several analyses.
inline constexpr const char* kOnlySelfReportedCost =
    "what emitting an event took is not known (option cost): only self-reported overhead is subtracted";
inline constexpr const char* kTooManyNames = "there are more than 65536 names: the others are one, (other names)";
// That there were more threads or cpus than are followed, if so.
void add_others(const Actors& actors, Findings* findings);
// How much of a time is uncertain, because of losses; nothing if none of it is. `of`: "the threads' time".
void add_uncertain(std::uint64_t ns, const char* of, std::vector<std::string>* notes);
// Sentences about what does not fit together.
void add_doubts(const Timeline::Doubts& doubts, std::vector<std::string>* notes);
// About spans, calls or asynchronous spans; and about the first two.
void add_span_notes(const SpanDoubts& doubts, SpanKind kind, std::vector<std::string>* notes);
void add_span_notes(const SpanDoubts& doubts, std::vector<std::string>* notes);
const char* word_of(SpanKind kind);
// That a number of threads were taken to run in spans and calls.
std::string assumed_to_run(std::uint64_t threads);
// `count` things, in a sentence: "1 event", "2 events".
std::string counted(std::uint64_t count, const char* thing);

}  // namespace evt::report
