// Analyses of the sessions of a trace, by name, as tables: what evt stats prints.
//
//   evt::report::RunOptions options;
//   options.analysis.by = {"cpu"};
//   const auto found = evt::report::answer(trace, {"cpu"}, options);
//   if (!found) return fail(found.status());
//   for (const auto& session : found->sessions) print(session.by_analysis);
//
// docs/TABLES.md has the tables of all analyses and their columns.
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

// Which threads count as active, and whether that is to be compared with the other models.
struct ShareOptions {
  ShareModel model{};
  bool compare = false;
};

// Of spans and calls by what was around them.
struct CallOptions {
  std::vector<std::string> threads;  // patterns of their names; none: all
  std::vector<std::string> callers;  // patterns of what called them
  std::vector<std::string> callees;  // and of what they call
  bool fold = false;                 // paths with their own time, one a line
};

// Options of all analyses; each uses what it knows.
struct AnalysisOptions {
  std::vector<std::string> by;           // cpu, spans, usage: what their rows are of
  std::optional<std::int64_t> every;     // a row for each period of this many nanoseconds
  std::optional<std::uint64_t> cost_ps;  // what emitting an event took
  bool subtract = false;                 // what tracing took from what was measured
  std::optional<std::uint64_t> subtracted_event_ps() const {
    return subtract ? std::optional(cost_ps.value_or(0)) : std::nullopt;
  }
  ShareOptions share;
  std::vector<std::pair<std::string, std::uint64_t>> limits;  // usage: of resources, per second
  CallOptions calls;
  std::size_t longest = 0;          // spans: how many are listed
  std::vector<double> percentiles;  // spans: that are columns, too; 0 to 100
};

// What was asked for by name and is not there.
struct Unmet {
  std::string sentence;
  std::string name;
  std::vector<std::string> known;  // names that are there
};

struct Findings {
  std::vector<Table> tables;
  std::vector<std::string> notes;  // sentences: what is doubtful, and what is missing
  std::vector<Unmet> unmet;
  bool is_partial = false;  // a note has what is missing of what was asked for
  std::string nothing;      // nothing was counted: the note that has why; empty: something was

  void add_missing(std::string note) {
    notes.push_back(std::move(note));
    is_partial = true;
  }
  void set_nothing(std::string note) {
    nothing = note;
    notes.push_back(std::move(note));
  }
};

// Of which part of a session an answer is.
struct RangeWanted {
  std::function<TimeRange(const Session&)> range{};  // times that are wanted, both included; none: all
  bool whole_session = false;                        // from where it began, not from its first event
};

struct RunOptions : RangeWanted {
  std::function<bool(const Event&)> counts{};  // whether an event is wanted; none: all are
  // The same, by the thread that the event is of; null: none that is followed. Both must hold.
  std::function<bool(const Event&, const Actor* thread)> counts_thread{};
  bool has_filter() const { return counts || counts_thread; }
  std::string filter = "the filter";  // what sentences call that
  HistoryOptions checkpoints;         // without a folder none are kept; with `progress` of these options
  bool summary = false;
  std::vector<const AnalysisKind*> kinds;
  AnalysisOptions analysis;

  // Called meanwhile, if they are set: how far it is; why something could not be read; and why no
  // checkpoints could be kept, without which the answer is the same.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  std::function<void(const std::string& sentence)> failed;
  std::function<void(const std::string& sentence)> not_kept;
};

struct SessionFindings {
  const Session* session = nullptr;
  TimeRange range;           // that they are of, within the session
  std::uint64_t events = 0;  // in it, that are wanted
  std::vector<std::pair<std::string, Findings>> by_analysis;
  bool is_by_index = false;    // the index has it: no row was read, so damage of rows was not met
  bool is_unselected = false;  // RunOptions::counts leaves out all that the analyses count
};

// The names of all analyses, "summary" first.
std::vector<std::string> analysis_names();

// Asks for these, with options.analysis as it is. An error, and nothing is asked for, if there is no such analysis, or
// if one of them does not know an option that is given, or its value.
Status ask(const std::vector<std::string>& analyses, RunOptions* options);

// Of sampled events a begin may be of another end: which of the analyses are not computed of this trace, as they pair
// events; these are asked for no more.
struct Sampled {
  std::string refused;  // a sentence about them; empty: none
  std::string counts;   // a sentence about what the others count; empty: the events were not sampled
};
Sampled leave_out_pairing(const Trace& trace, RunOptions* options);

// An error if `every` divides a session into more stretches than there is an answer for.
Status check_stretches(const Trace& trace, const RunOptions& options);

// The analyses over the sessions of a trace, in one pass.
std::vector<SessionFindings> run_sessions(Trace& trace, const RunOptions& options);

// What was asked for by name and is in none of these sessions: a sentence for each.
std::vector<std::string> unmet_in(const std::vector<SessionFindings>& sessions);

// What was found in a trace, and sentences about what is doubtful or missing in it, each once.
struct Answer {
  std::vector<SessionFindings> sessions;
  std::vector<std::string> notes;
};

// All of this: asks, leaves out what cannot be computed, runs. The trace must outlive the answer. An error: there is no
// such analysis or option, all that is asked for pairs events and they were sampled, there are too many stretches, or
// a file could not be read. That no checkpoints could be kept is a note.
Result<Answer> answer(Trace& trace, const std::vector<std::string>& analyses, RunOptions options);

// What the cells of a column of an analysis' table are.
struct ColumnMeaning {
  std::string unit;  // ns, %, 1/s; empty for none
  std::string description;
};
ColumnMeaning meaning_of(std::string_view analysis, const Table& table, const Table::Column& column);

}  // namespace evt::report
#pragma GCC visibility pop
