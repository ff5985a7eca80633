// evt stats: what a trace shows, on one screen: the first row that each analysis has of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/load.h"
#include "libtrace-read/report/shared/takers.h"
#include "libtrace-read/report/shared/thread_groups.h"
#include "libtrace-read/report/shared/usage_tables.h"
#include "libtrace-read/text/session_texts.h"
#include "libtrace-read/text/shown.h"

namespace evt::report {
namespace {

// What a row of the table `top` is made of: the row of an analysis' table that has the most in a column.
struct Question {
  const char* about;
  const char* analysis;
  const char* table;
  const char* most;                  // the column that chooses the row
  const char* figure;                // the column that is shown
  const char* percent = nullptr;     // null: there is none
  std::vector<const char*> names{};  // the columns that say what the row is
  const char* options = "";          // for evt stats
  bool (*is_of_it)(const Table& table, const Table::Row& row) = nullptr;
};

std::string text_in(const Table& table, const Table::Row& row, const char* column) {
  const auto place = table.column(column);
  if (!place) return "";
  const Cell& cell = row[*place];
  if (cell.text() != nullptr) return *cell.text();
  return cell.as_unsigned() != nullptr ? std::to_string(*cell.as_unsigned()) : "";
}

bool is_of_file(const Table& table, const Table::Row& row) {
  return !is_lock(text_in(table, row, "resource")) && !text_in(table, row, "object").empty();
}

const std::vector<Question>& questions() {
  static const std::vector<Question> kQuestions = {
      {"parallelism", "share", "time", "parallelism", "parallelism"},
      {"cpu", "cpu", "cpu", "running", "running", "%", {"thread", "name"}},
      {"waits", "threads", "waiting", "waiting", "waiting", nullptr, {"thread", "waits for"}},
      {"delays", "latency", "threads", "max", "max", nullptr, {"thread", "name"}},
      {"code", "stacks", "stacks", "self", "self", "self %", {"name"}},
      {"calls", "calls", "calls", "self", "self", "self %", {"name"}},
      {"spans", "spans", "spans", "sum", "sum", nullptr, {"name"}},
      {"async spans", "spans", "async", "sum", "sum", nullptr, {"name"}},
      {"locks", "locks", "locks", "time", "time", nullptr, {"lock"}},
      {"files", "usage", "objects", "time", "time", nullptr, {"object"}, " --by object", is_of_file},
      {"counted calls", "counts", "counts", "calls", "calls", nullptr, {"function"}},
      {"gc", "gc", "gc", "collector", "collector"},
      {"heap", "heap", "heap", "max", "max", nullptr, {"name"}},
      {"counters", "counters", "counters", "events", "max", nullptr, {"counter"}},
      {"stops", "stops", "stopped", "stopped", "stopped", "%"},
      {"events", "events", "events", "events", "events", "%", {"event"}},
  };
  return kQuestions;
}

const char* unit_of(CellKind kind) {
  if (kind == CellKind::kTime || kind == CellKind::kDuration) return "ns";
  if (kind == CellKind::kBytes) return "B";
  return kind == CellKind::kRate ? "1/s" : nullptr;
}

class Overview : public Analysis {
 public:
  explicit Overview(const AnalysisInput& input)
      : timeline_(input.timeline),
        no_event_(input.no_event()),
        has_filter_(input.has_filter),
        load_(input.timeline.actors()) {
    const Session& session = timeline_.actors().session();
    const bool is_sampled = session.left_out && session.left_out->separates_events();
    for (const AnalysisKind& kind : analysis_kinds()) {
      if (!is_asked(kind.name)) continue;
      if (is_sampled && kind.pairs_events) {
        not_computed_.emplace_back(kind.name);
        continue;
      }
      analyses_.push_back({kind.name, kind.make(input)});
    }
    hand_out();
  }
  Overview(const Overview& other)
      : Analysis(other),
        timeline_(other.timeline_),
        no_event_(other.no_event_),
        has_filter_(other.has_filter_),
        load_(other.load_),
        not_computed_(other.not_computed_) {
    for (const Part& part : other.analyses_) analyses_.push_back({part.name, part.analysis->copy()});
    hand_out();
  }

  ItemKinds items() const override {
    ItemKinds items = Load::items();
    for (const Part& part : analyses_) items |= part.analysis->items();
    return items;
  }
  void take(const TimelineItem& item) override {
    load_.take(item);
    takers_.take(item);
  }
  void restart(std::int64_t ns) override {
    load_.begin(ns);
    for (const Part& part : analyses_) part.analysis->restart(ns);
  }
  void begin(std::int64_t ns) override {
    load_.begin(ns);
    for (const Part& part : analyses_) part.analysis->begin(ns);
  }
  std::unique_ptr<Analysis> copy() const override { return std::make_unique<Overview>(*this); }

  Findings finish(TimeRange range) override {
    Findings findings;
    findings.tables = {overview(range), load_.table(range.to_ns), new_table(kOverview, "top")};
    Table& top = findings.tables.back();
    const std::set<std::string> recorders = recorder_threads();
    std::vector<std::pair<const char*, Findings>> found;
    for (const Part& part : analyses_) found.emplace_back(part.name, part.analysis->finish(range));
    for (const Question& question : questions()) {
      const auto of_it = std::ranges::find_if(
          found, [&](const auto& each) { return std::string_view(each.first) == question.analysis; });
      if (of_it != found.end() && add_row(question, of_it->second, recorders, &top))
        add_notes(of_it->second, &findings);
    }
    top.hide("unit");
    if (has_filter_ && timeline_.events() == 0) findings.set_nothing(no_event_);
    if (!not_computed_.empty()) {
      findings.add_missing(
          fmt::format("{}: not computed, because events were sampled", fmt::join(not_computed_, ", ")));
    }
    return findings;
  }

 private:
  struct Part {
    const char* name;
    std::unique_ptr<Analysis> analysis;
  };

  static bool is_asked(std::string_view analysis) {
    return std::ranges::any_of(questions(), [&](const Question& each) { return analysis == each.analysis; });
  }

  void hand_out() {
    for (const Part& part : analyses_) takers_.add(part.analysis.get());
  }

  Table overview(TimeRange range) const {
    const Session& session = timeline_.actors().session();
    const std::uint64_t span = length_of(range);
    const std::uint64_t events = timeline_.events();
    const std::string exits = exits_text(session);
    return new_facts(kOverview, kOverview,
                     {session.program, std::uint64_t{session.parts.size()}, utc_text(session.start_utc_ns),
                      range.from_ns, range.to_ns, span, word_of(session.end()), exits.empty() ? Cell() : Cell(exits),
                      events, rate_of(events, span), session.lost, missing_of(session, session.missing)});
  }

  // False: the analysis has nothing of it.
  static bool add_row(const Question& question, const Findings& findings, const std::set<std::string>& recorders,
                      Table* top) {
    const auto table = std::ranges::find(findings.tables, question.table, &Table::name);
    if (!findings.nothing.empty() || table == findings.tables.end()) return false;
    const Table::Row* const row = most_of(question, *table, recorders);
    if (row == nullptr) return false;
    const Table::Column& figure = table->columns()[*table->column(question.figure)];
    const Cell& cell = (*row)[*table->column(question.figure)];
    const CellKind kind = cell.seen_in(figure.kind);
    const char* const unit = unit_of(kind);
    top->add({question.about, name_of(question, *table, *row), figure.name, cell.as(kind),
              unit != nullptr ? Cell(unit) : Cell(),
              question.percent != nullptr ? (*row)[*table->column(question.percent)] : Cell(),
              fmt::format("evt stats {}{}", question.analysis, question.options)});
    return true;
  }

  // Those of writers, as tables name them: what a program did is not theirs.
  std::set<std::string> recorder_threads() const {
    std::set<std::string> recorders;
    const Actors& actors = timeline_.actors();
    const std::uint32_t count = std::min(actors.threads().size(), Actor::kOthers);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (actors.threads()[i].name == Actor::kRecorder) recorders.insert(number_text(actors, i));
    }
    return recorders;
  }

  // Nothing where none has any.
  static const Table::Row* most_of(const Question& question, const Table& table,
                                   const std::set<std::string>& recorders) {
    const Table::Row* most = nullptr;
    const std::size_t column = *table.column(question.most);
    for (const Table::Row& row : table.rows()) {
      if (question.is_of_it != nullptr && !question.is_of_it(table, row)) continue;
      if (recorders.contains(text_in(table, row, "thread"))) continue;
      if (row[column].as_double() > (most != nullptr ? (*most)[column].as_double() : 0)) most = &row;
    }
    return most;
  }

  static Cell name_of(const Question& question, const Table& table, const Table::Row& row) {
    std::vector<std::string> names;
    for (const char* const column : question.names) {
      if (std::string name = text_in(table, row, column); !name.empty()) names.push_back(std::move(name));
    }
    return names.empty() ? Cell() : Cell(fmt::format("{}", fmt::join(names, " ")));
  }

  static void add_notes(const Findings& part, Findings* findings) {
    findings->is_partial |= part.is_partial;
    for (const std::string& note : part.notes) {
      if (std::ranges::find(findings->notes, note) == findings->notes.end()) findings->notes.push_back(note);
    }
  }

  Timeline& timeline_;
  const char* no_event_;
  bool has_filter_;
  Load load_;
  std::vector<std::string> not_computed_;
  std::vector<Part> analyses_;
  Takers takers_;
};

}  // namespace

std::unique_ptr<Analysis> make_overview(const AnalysisInput& input) { return std::make_unique<Overview>(input); }

}  // namespace evt::report
