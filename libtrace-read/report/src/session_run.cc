#include <evt/analysis/share.h>
#include <evt/report.h>
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/session_range.h"
#include "libtrace-read/report/shared/takers.h"
#include "libtrace-read/text/number_with_unit.h"

namespace evt::report {
namespace {

// For a table without rows. One that has its own times keeps their names.
Table with_stretch(const Table& table) {
  const bool has_times = table.column("from").has_value() || table.column("to").has_value();
  std::vector<Table::Column> columns = {{has_times ? "stretch from" : "from", CellKind::kTime},
                                        {has_times ? "stretch to" : "to", CellKind::kTime}};
  columns.insert(columns.end(), table.columns().begin(), table.columns().end());
  Table whole(table.name(), table.key_columns() + 2, std::move(columns));
  whole.set_over_time();
  if (table.is_of_single_things()) whole.set_of_single_things();
  return whole;
}

auto is_called(const Table& like) {
  return [&like](const Table& each) { return each.name() == like.name(); };
}

// For each table of an analysis one whose rows begin with their stretch. A column that some stretch does not have is
// empty there, and hidden if no stretch shows it.
class Stretches {
 public:
  // In the order of time.
  void add(TimeRange stretch, const std::vector<Table>& tables) {
    for (const Table& table : tables) {
      auto whole = std::ranges::find_if(tables_, is_called(table));
      if (whole == tables_.end()) whole = tables_.insert(tables_.end(), with_stretch(table));
      std::vector<std::size_t> places;
      for (const Table::Column& column : table.columns()) {
        places.push_back(whole->shared_column(column, places.empty() ? 2 : places.back() + 1));
      }
      for (const Table::Row& of_stretch : table.rows()) {
        Table::Row row(whole->columns().size());
        row[0] = stretch.from_ns;
        row[1] = stretch.to_ns;
        for (std::size_t i = 0; i < of_stretch.size(); ++i) row[places[i]] = of_stretch[i];
        whole->add(std::move(row));
      }
    }
  }

  // Without rows if no stretch has such a table.
  Table of(const Table& table) const {
    const auto found = std::ranges::find_if(tables_, is_called(table));
    return found != tables_.end() ? *found : with_stretch(table);
  }

 private:
  std::vector<Table> tables_;
};

std::int64_t later_by(std::int64_t ns, std::int64_t by) {
  std::int64_t later = 0;
  return __builtin_add_overflow(ns, by, &later) ? INT64_MAX : later;
}

// The rest of a summary is what the trace declares.
constexpr const char* kOfWholeSession = "losses, streams and clocks are those of the whole session";

bool is_part(const RunOptions& options) { return options.range || options.has_filter(); }

// A sentence that tells which option left out everything that an analysis counts in a session; empty: none did.
std::string why_nothing(const Session& session, const RunOptions& options) {
  if (options.has_filter()) return "no counted event matches " + options.filter;
  const bool has_range = options.range && options.range(session).is_limited();
  return has_range ? "nothing counted here lies in the requested time" : "";
}

// Sentences about events that do not exist are wrong if events were left out.
void correct_notes(const RunOptions& options, SessionFindings* found) {
  const std::string why = why_nothing(*found->session, options);
  bool has_something = options.summary && found->events > 0;
  for (auto& [name, findings] : found->by_analysis) {
    has_something |= findings.nothing.empty() && name != kSummary;
    if (findings.nothing.empty() || why.empty()) continue;
    std::ranges::replace(findings.notes, findings.nothing, why);
    findings.nothing = why;
  }
  found->is_unselected = options.has_filter() && !has_something;
}

// One session that passes through its analyses.
class SessionRun {
 public:
  SessionRun(Trace& trace, Timeline& timeline, const CpuTime& cpu, const Collections& collections,
             const RunOptions& options)
      : options_(options),
        trace_(trace),
        session_(timeline.actors().session()),
        timeline_(timeline),
        has_before_(is_part(options) || cut_of(session_).is_limited()) {
    const std::optional<std::int64_t>& every = options_.analysis.every;
    const bool has_filter = options.has_filter();
    const bool leaves_out = has_filter || (options.range && options.range(session_).is_limited());
    for (const AnalysisKind* const kind : options.kinds) {
      AnalysisInput input = {trace, timeline, options_.analysis, has_before_, has_filter, leaves_out, cpu, collections};
      analyses_.push_back({kind->name, kind->make(input), nullptr, {}});
      input.is_part = true;
      if (every) analyses_.back().of_stretch = kind->make(input);
    }
    hand_out();
    range_ = range_in(timeline, options);
    due_ns_ = stretch_ns_ = range_.from_ns;
    if (!every) return;
    end_ns_ = later_by(range_.from_ns, *every);
    timeline_.show_open_every(*every, range_.from_ns);
  }

  SessionFindings run() {
    std::uint64_t items = 0;
    while (const TimelineItem* const item = timeline_.next()) {
      if (item->goes_on) {
        open_.push_back(*item);
        continue;
      }
      if (item->ns >= due_ns_) reach(item->ns);
      if (++items % 65536 == 0 && options_.progress) {
        options_.progress(length_of({range_.from_ns, item->ns}), length_of(range_));
      }
      const bool is_counted = options_.summary && item->kind == ItemKind::kRow;
      if (is_counted && (item->is_wanted || item->event->lost)) counts_.take(*item->event);
      takers_.take(*item);
    }
    reach(range_.to_ns);
    return finish();
  }

 private:
  // Requests what any analysis wants.
  void hand_out() {
    ItemKinds kinds = {ItemKind::kRow};
    RoleSet rows = options_.summary ? RoleSet::all() : RoleSet();
    for (const Asked& each : analyses_) {
      kinds |= each.whole->items();
      rows |= each.whole->rows();
    }
    timeline_.hand_out(kinds);
    timeline_.hand_out_rows(rows);
    for (const Asked& each : analyses_) {
      takers_.add(each.whole.get());
      if (each.of_stretch != nullptr) takers_.add(each.of_stretch.get());
    }
  }

  // Called where the range begins, or a stretch of it ends.
  void reach(std::int64_t ns) {
    if (!begun_) begin();
    while (end_ns_ <= ns && end_ns_ < range_.to_ns) {
      end_stretch(end_ns_);
      end_ns_ = later_by(end_ns_, *options_.analysis.every);
    }
    open_.clear();
    due_ns_ = end_ns_;
  }

  // Everything before makes the state from which is counted.
  void begin() {
    begun_ = true;
    before_ = counts_;
    for (const Asked& each : analyses_) {
      for (Analysis* const analysis : {each.whole.get(), each.of_stretch.get()}) {
        if (analysis != nullptr) has_before_ ? analysis->restart(range_.from_ns) : analysis->begin(range_.from_ns);
      }
    }
  }

  // All that is open continues in the next one.
  void end_stretch(std::int64_t ns) {
    for (Asked& each : analyses_) {
      const std::unique_ptr<Analysis> until_now = each.of_stretch->copy();
      for (TimelineItem& item : open_) {
        if (item.ended_ns == item.ns) item.ended_ns = ns;  // a collection may have ended before
        item.ns = ns;
        until_now->take(item);
      }
      each.stretches.add({stretch_ns_, ns}, until_now->finish({stretch_ns_, ns}).tables);
      each.of_stretch->begin_stretch(ns);
    }
    stretch_ns_ = ns;
  }

  SessionFindings finish() {
    SessionFindings found{&session_, range_, timeline_.events(), {}};
    if (options_.summary) {
      found.by_analysis.emplace_back(kSummary,
                                     summary_of(trace_, session_, counts_between(before_, counts_, session_), range_));
      Findings& summary = found.by_analysis.back().second;
      if (is_part(options_)) summary.notes.emplace_back(kOfWholeSession);
      if (options_.has_filter() && found.events == 0) summary.set_nothing(why_nothing(session_, options_));
    }
    for (Asked& each : analyses_) {
      Findings findings = each.whole->finish(range_);
      if (each.of_stretch != nullptr) {
        const TimeRange last{stretch_ns_, range_.to_ns};
        each.stretches.add(last, each.of_stretch->finish(last).tables);
        for (Table& table : findings.tables) table = each.stretches.of(table);
      }
      found.by_analysis.emplace_back(each.name, std::move(findings));
    }
    correct_notes(options_, &found);
    return found;
  }

  struct Asked {
    const char* name;
    std::unique_ptr<Analysis> whole;       // for the range
    std::unique_ptr<Analysis> of_stretch;  // for the current stretch; null if none are requested
    Stretches stretches;                   // that have ended
  };

  const RunOptions& options_;
  const Trace& trace_;
  const Session& session_;
  Timeline& timeline_;
  TimeRange range_;
  bool has_before_;  // something that is not counted
  std::vector<Asked> analyses_;
  Takers takers_;
  EventCounts counts_;  // for the summary
  EventCounts before_;
  bool begun_ = false;
  std::int64_t stretch_ns_ = 0;      // where the current stretch begins,
  std::int64_t end_ns_ = INT64_MAX;  // and ends: the last one ends with the range, inclusive
  std::int64_t due_ns_ = 0;          // where the next action is due
  std::vector<TimelineItem> open_;   // what would end there
};

bool keeps_checkpoints(const RunOptions& options) { return !options.checkpoints.cache_folder.empty(); }

// The states of these two are known at any time without reading everything before.
bool has_history(const RunOptions& options) {
  const auto is_kept = [](const AnalysisKind* kind) { return kind->from_states != nullptr; };
  return !options.kinds.empty() && !options.summary && keeps_checkpoints(options) && !options.analysis.every &&
         !options.has_filter() && std::ranges::all_of(options.kinds, is_kept);
}

// Missing rows may extend across the begin of a range wherever they are recorded: states do not show that.
bool is_uncertain_before(const Trace& trace, const RunOptions& options) {
  const bool asks_for_times =
      std::ranges::any_of(options.kinds, [](const AnalysisKind* kind) { return kind->pairs_events; });
  return asks_for_times && std::ranges::any_of(trace.sessions(), [&](const Session& session) {
           const bool has_begin = asks_for_a_begin(session, options) || cut_of(session).from_ns != INT64_MIN;
           return has_begin && session.missing > 0;
         });
}

// True if a thread in the range is what cpus run when they have nothing to do, which only later events show.
bool has_idle_behind(const Actors& in_range, StateHistory& history, std::size_t session) {
  const auto may_be_idle = [](const Actor& thread) {
    return thread.number == 0 && !thread.is_stream && !thread.is_idle;
  };
  const std::vector<Actor>& threads = in_range.threads().all();
  if (std::ranges::none_of(threads, may_be_idle)) return false;
  const SessionState end = history.at(session, in_range.session().last_ns);
  const std::vector<Actor>& all = end.actors.threads().all();
  return std::ranges::any_of(all, [](const Actor& thread) { return thread.is_idle; });
}

HistoryOptions kept_by(const RunOptions& options) {
  HistoryOptions kept = options.checkpoints;
  kept.progress = options.progress;
  return kept;
}

void say_if_not_kept(const StateHistory& history, const RunOptions& options) {
  if (!history.status().ok() && options.not_kept) options.not_kept(history.status().message());
}

// Not for a trace with more threads than can be followed: it has no checkpoints.
std::optional<std::vector<SessionFindings>> by_history(Trace& trace, const RunOptions& options) {
  StateHistory history(trace, kept_by(options));
  std::vector<SessionFindings> all;
  for (std::size_t i = 0; i < trace.sessions().size(); ++i) {
    const Session& session = trace.sessions()[i];
    const TimeRange range = range_in(session, options);
    const auto [before, after] = history.between(i, range);
    if (history.has_too_many_actors()) return std::nullopt;
    if (range.to_ns < session.last_ns && has_idle_behind(after.actors, history, i)) return std::nullopt;
    const RunEnds run_ends = history.run_ends(i, range.to_ns, after.actors, after.cpu);
    all.push_back({&session, range, after.counts.all() - before.counts.all(), {}});
    for (const AnalysisKind* const kind : options.kinds) {
      all.back().by_analysis.emplace_back(kind->name,
                                          kind->from_states({before, after, run_ends, range, options.analysis}));
    }
    correct_notes(options, &all.back());
  }
  say_if_not_kept(history, options);
  return all;
}

bool has_calls_of_objects(const Session& session) {
  return std::ranges::any_of(session.types, [](const EventType& type) {
    return (type.has_role(Role::kCallBegin) || type.has_role(Role::kCall)) && type.field(Role::kObject) != nullptr;
  });
}

// The longest calls are listed with their objects, whose names may come from before them.
bool lists_objects(const Trace& trace, const RunOptions& options) {
  return options.analysis.longest > 0 && std::ranges::any_of(trace.sessions(), has_calls_of_objects);
}

// Analyses that start counting at some moment get the earlier state from a checkpoint: unless they count other events
// than the selected ones, or need all earlier ones.
bool begins_at_checkpoint(const Trace& trace, const RunOptions& options) {
  const auto begins = [&](const Session& session) { return asks_for_a_begin(session, options); };
  const bool divides_otherwise = options.analysis.share.compare || options.analysis.share.model != ShareModel::kRunning;
  return keeps_checkpoints(options) && !options.has_filter() && !divides_otherwise && !options.analysis.subtract &&
         !lists_objects(trace, options) && std::ranges::all_of(trace.sessions(), begins) &&
         std::ranges::none_of(options.kinds, [](const AnalysisKind* kind) { return kind->needs_all; }) &&
         !is_uncertain_before(trace, options);
}

// Making checkpoints costs as much as reading everything: that does not pay for a range that is most of a session.
HistoryOptions kept_for_begins(const Trace& trace, const RunOptions& options) {
  HistoryOptions kept = kept_by(options);
  kept.makes_checkpoints = std::ranges::any_of(trace.sessions(), [&](const Session& session) {
    const std::int64_t from_ns = range_in(session, options).from_ns;
    return length_of({first_event_ns(session), from_ns}) > length_of({from_ns, session.last_ns});
  });
  return kept;
}

// Whole sessions, whose indexes may have everything requested.
bool may_be_indexed(const Trace& trace, const RunOptions& options) {
  if (is_part(options) || options.analysis.every) return false;
  if (options.kinds.empty()) return counts_are_indexed(trace);
  return !options.summary && counts_of_types_are_indexed(trace) &&
         std::ranges::all_of(options.kinds, [](const AnalysisKind* kind) { return kind->from_index != nullptr; });
}

// Nothing if an index does not have the answer.
std::optional<std::vector<SessionFindings>> by_indexes(const Trace& trace, const RunOptions& options) {
  std::vector<SessionFindings> all;
  for (const Session& session : trace.sessions()) {
    const NamedCounts counts = counts_by_index(session);
    const TimeRange range = range_in(session, options);
    all.push_back({&session, range, sum_of(counts), {}});
    all.back().is_by_index = true;
    auto& found = all.back().by_analysis;
    if (options.summary) found.emplace_back(kSummary, summary_of(trace, session, counts, range));
    for (const AnalysisKind* const kind : options.kinds) {
      std::optional<Findings> findings = kind->from_index(session, range, options.analysis);
      if (!findings) return std::nullopt;
      found.emplace_back(kind->name, *std::move(findings));
    }
  }
  return all;
}

}  // namespace

// Each has its own rows, whether anything happened in it or not.
Status check_stretches(const Trace& trace, const RunOptions& options) {
  constexpr std::uint64_t kMax = 100'000;
  if (!options.analysis.every) return {};
  const auto every = static_cast<std::uint64_t>(*options.analysis.every);
  for (const Session& session : trace.sessions()) {
    const std::uint64_t ns = length_of(range_in(session, options));
    if (ns / every < kMax) continue;
    return {Code::kInvalid,
            fmt::format("{} has {} stretches of {}, at most {} are counted: choose a time range, or longer steps",
                        duration_text(ns), ns / every + 1, duration_text(every), kMax)};
  }
  return {};
}

std::vector<SessionFindings> run_sessions(Trace& trace, const RunOptions& options) {
  if (may_be_indexed(trace, options)) {
    if (auto found = by_indexes(trace, options)) return *std::move(found);
  }
  if (has_history(options) && !is_uncertain_before(trace, options)) {
    if (auto found = by_history(trace, options)) return *std::move(found);
  }
  Timeline::Options wanted;
  wanted.range = [&](const Session& session) { return range_in(session, options); };
  // All other events make the state in which answers are computed.
  wanted.wanted = options.counts;
  wanted.wanted_thread = options.counts_thread;
  std::vector<SessionFindings> findings;
  Status status;
  const auto run = [&](Timeline& timeline, const CpuTime& cpu, const Collections& collections) {
    findings.push_back(SessionRun(trace, timeline, cpu, collections, options).run());
    if (status.ok()) status = timeline.status();
  };
  if (begins_at_checkpoint(trace, options)) {
    const HistoryOptions kept = kept_for_begins(trace, options);
    StateHistory history(trace, kept);
    for (std::size_t i = 0; i < trace.sessions().size(); ++i) {
      SessionStart start = history.start(i, wanted);
      run(start.timeline, start.cpu, start.collections);
    }
    if (kept.makes_checkpoints) say_if_not_kept(history, options);
  } else {
    Timeline timeline(trace, wanted);
    while (timeline.next_session()) run(timeline, {}, Collections(timeline.actors().session()));
  }
  if (status.code() == Code::kIo && options.failed) options.failed(status.message());
  return findings;
}

}  // namespace evt::report
