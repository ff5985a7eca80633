// Analyses of the sessions of a trace, by name, as tables: evt stats prints them.
//
//   evt::report::RunOptions options;
//   options.analysis.by = {"cpu"};
//   const auto found = evt::report::answer(trace, {"cpu"}, options);
//   if (!found) return fail(found.status());
//   for (const auto& session : found->sessions) print(session.by_analysis);
//
// docs/TABLES.md lists the tables of all analyses and their columns.
#pragma once

#include <evt/analysis/state_history.h>
#include <evt/report_table.h>
#include <evt/trace.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {
enum class ShareModel : std::uint8_t;
struct Actor;
}  // namespace evt

namespace evt::report {

struct AnalysisKind;

// Which threads count as active, and whether to compare that with the other models.
struct ShareOptions {
  ShareModel model{};
  bool compare = false;
};

// For spans and calls by their enclosing ones.
struct CallOptions {
  std::vector<std::string> threads;  // patterns of their names; empty: all
  std::vector<std::string> callers;  // patterns of their callers
  std::vector<std::string> callees;  // patterns of their callees
  bool fold = false;                 // paths with their self time, one per line
  bool waiting = false;              // stacks: of long waits instead of processor time
};

// For the times from events of some types to the next ones of others.
struct PairOptions {
  std::string from;  // a pattern of the types' names; empty: scheduling delays are requested
  std::string to;
  std::string key;  // the name of the field whose values pair them; empty: as EventPairs::Key has it
};

// Options of all analyses; each uses those that it knows.
struct AnalysisOptions {
  std::vector<std::string> by;           // cpu, spans, usage: what their rows are about
  std::optional<std::int64_t> every;     // a row for each period of this many nanoseconds
  std::optional<std::uint64_t> cost_ps;  // cost of emitting an event
  bool subtract = false;                 // subtract tracing time from measured times
  std::optional<std::uint64_t> subtracted_event_ps() const {
    return subtract ? std::optional(cost_ps.value_or(0)) : std::nullopt;
  }
  ShareOptions share;
  std::vector<std::pair<std::string, std::uint64_t>> limits;  // usage: of resources, per second
  CallOptions calls;
  PairOptions pairs;                // latency
  std::size_t longest = 0;          // spans, gc, latency: number of those listed
  std::vector<double> percentiles;  // spans: additional columns; 0 to 100
};

// Something that was requested by name and does not exist.
struct Unmet {
  std::string sentence;
  std::string name;
  std::vector<std::string> known;  // names that are there
};

struct Findings {
  std::vector<Table> tables;
  std::vector<std::string> notes;  // sentences about doubtful and missing data
  std::vector<Unmet> unmet;
  bool is_partial = false;  // a note tells which requested data is missing
  std::string nothing;      // nothing was counted: the note with the reason; empty: something was

  void add_missing(std::string note) {
    notes.push_back(std::move(note));
    is_partial = true;
  }
  void set_nothing(std::string note) {
    nothing = note;
    notes.push_back(std::move(note));
  }
};

// Selects a part of a session.
struct RangeWanted {
  std::function<TimeRange(const Session&)> range{};  // wanted times, both included; empty: all
  bool whole_session = false;                        // from its start, not from its first event
};

struct RunOptions : RangeWanted {
  std::function<bool(const Event&)> counts{};  // true for wanted events; empty: all are
  // Like `counts`, by the event's thread; null: no followed thread. Both must hold.
  std::function<bool(const Event&, const Actor* thread)> counts_thread{};
  bool has_filter() const { return counts || counts_thread; }
  std::string filter = "the filter";  // its name in sentences
  HistoryOptions checkpoints;         // without a folder none are kept; with `progress` of these options
  bool summary = false;
  std::vector<const AnalysisKind*> kinds;
  AnalysisOptions analysis;

  // Called during the run, if they are set: progress; why something could not be read; and why no checkpoints could be
  // kept, without which the answer is the same.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  std::function<void(const std::string& sentence)> failed;
  std::function<void(const std::string& sentence)> not_kept;
};

struct SessionFindings {
  const Session* session = nullptr;
  TimeRange range;           // that they cover, within the session
  std::uint64_t events = 0;  // wanted events in it
  std::vector<std::pair<std::string, Findings>> by_analysis;
  bool is_by_index = false;    // from the index: no row was read, so damage of rows was not noticed
  bool is_unselected = false;  // RunOptions::counts leaves out all that the analyses count
};

// The names of all analyses, "summary" first.
std::vector<std::string> analysis_names();

// Selects these analyses, with options.analysis unchanged. An error, and nothing is selected, if there is no such
// analysis, or if one of them does not know an option that is given, or its value.
Status ask(const std::vector<std::string>& analyses, RunOptions* options);

// In sampled events a begin and an end may belong to different pairs: tells which analyses cannot be computed for this
// trace, because they pair events; these are deselected.
struct Sampled {
  std::string refused;  // a sentence about them; empty: none
  std::string counts;   // a sentence about what the others count; empty: the events were not sampled
};
Sampled leave_out_pairing(const Trace& trace, RunOptions* options);

// An error if `every` divides a session into too many stretches.
Status check_stretches(const Trace& trace, const RunOptions& options);

// The analyses over the sessions of a trace, in one pass.
std::vector<SessionFindings> run_sessions(Trace& trace, const RunOptions& options);

// Things requested by name that are in none of these sessions: a sentence for each.
std::vector<std::string> unmet_in(const std::vector<SessionFindings>& sessions);

// Findings of a trace, and sentences about doubtful or missing data in it, each once.
struct Answer {
  std::vector<SessionFindings> sessions;
  std::vector<std::string> notes;
};

// Does all of this: selects, leaves out what cannot be computed, runs. The trace must outlive the answer. An error:
// there is no such analysis or option, all selected ones pair events and they were sampled, there are too many
// stretches, or a file could not be read. If no checkpoints could be kept, that is a note.
Result<Answer> answer(Trace& trace, const std::vector<std::string>& analyses, RunOptions options);

// Meaning of the cells of a column of an analysis' table.
struct ColumnMeaning {
  std::string unit;  // ns, %, 1/s; empty for none
  std::string description;
};
ColumnMeaning meaning_of(std::string_view analysis, const Table& table, const Table::Column& column);

}  // namespace evt::report
#pragma GCC visibility pop
