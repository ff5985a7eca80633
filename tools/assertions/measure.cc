#include "assertions/measure.h"

#include <evt/saturating_add.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "base/table_forms.h"
#include "libtrace-read/report/shared/described_tables.h"
#include "libtrace-read/report/shared/why_search.h"
#include "libtrace-read/text/near_names.h"
#include "where/where_value.h"

namespace evt::tools {
namespace {

using report::DescribedColumn;
using report::DescribedTable;

struct TraceFact {
  const char* name;
  CellKind kind;
  // Null: of each session.
  std::uint64_t (*of)(const Trace& trace);
};

std::uint64_t over_sessions(const Trace& trace, std::uint64_t (*of)(const Session& session)) {
  std::uint64_t sum = 0;
  for (const Session& session : trace.sessions()) saturating_add(&sum, of(session));
  return sum;
}

constexpr const char* kEventsFact = "events";
constexpr const char* kDurationFact = "duration";
constexpr TraceFact kFacts[] = {
    {"lost", CellKind::kCount,
     [](const Trace& trace) { return over_sessions(trace, [](const Session& session) { return session.lost; }); }},
    {"missing", CellKind::kCount,
     [](const Trace& trace) {
       return over_sessions(trace, [](const Session& session) {
         std::uint64_t sum = 0;
         for (const StreamInfo& stream : session.streams) saturating_add(&sum, stream.missing);
         return sum;
       });
     }},
    {"damage", CellKind::kCount, [](const Trace& trace) { return std::uint64_t{trace.damage().size()}; }},
    {"sessions", CellKind::kCount, [](const Trace& trace) { return std::uint64_t{trace.sessions().size()}; }},
    {kEventsFact, CellKind::kCount, nullptr},
    {kDurationFact, CellKind::kDuration, nullptr},
};

// Words for the tables that are asked about most, and the row that is meant where none is named.
struct Alias {
  std::string_view name;
  const char* analysis;
  const char* table;
  const char* thing;
  const char* row = nullptr;
};
constexpr Alias kAliases[] = {{"span", "spans", "spans", "span"},
                              {"call", "spans", "calls", "call"},
                              {"async", "spans", "async", "asynchronous span"},
                              {"event", "events", "events", "event type"},
                              {"thread", "threads", "threads", "thread"},
                              {"resource", "usage", "resources", "resource"},
                              {"gc.pause", "gc", "pauses", "pause", "all"}};

// Of columns that count, the one that a table has.
constexpr const char* kCounts[] = {"count", "collections", "events", "times", "calls", "samples"};

std::string path_of(const DescribedTable& table) { return fmt::format("{}.{}", table.analysis, table.name); }

// evt stats prints it with an option alone.
bool is_optional(const DescribedTable& table) { return std::string_view(table.what).starts_with("With --"); }

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const Alias& alias : kAliases) names.emplace_back(alias.name);
  for (const DescribedTable& table : report::described_tables()) {
    if (is_optional(table)) continue;
    names.push_back(path_of(table));
    names.emplace_back(table.analysis);
  }
  return names;
}

// `name` is an analysis, whose main table is the first, or has the table behind a point.
const DescribedTable* table_called(const std::string& name) {
  const auto found = std::ranges::find_if(report::described_tables(), [&](const DescribedTable& table) {
    return path_of(table) == name || table.analysis == name;
  });
  return found != report::described_tables().end() ? &*found : nullptr;
}

// As the command line has it: spaces may be _.
std::string spoken(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

const DescribedColumn* column_called(const DescribedTable& table, const std::string& name) {
  const auto found = std::ranges::find_if(table.columns, [&](const DescribedColumn& column) {
    return !column.is_pattern() && (spoken(name) == column.name || name == column.key());
  });
  return found != table.columns.end() ? &*found : nullptr;
}

bool has_percentiles(const DescribedTable& table) {
  return std::ranges::any_of(table.columns,
                             [](const DescribedColumn& column) { return std::string_view(column.name) == "p*"; });
}

std::optional<double> percentile_in(const std::string& name) {
  double percent = 0;
  if (!name.starts_with('p')) return std::nullopt;
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data() + 1, end, percent, std::chars_format::fixed);
  const bool is_one = error == std::errc() && last == end && percent >= 0 && percent <= 100;
  return is_one ? std::optional(percent) : std::nullopt;
}

constexpr const char* kRowOf = "row of ";

std::string thing_in(const DescribedTable& table) {
  const auto* const alias = std::ranges::find_if(
      kAliases, [&](const Alias& each) { return path_of(table) == fmt::format("{}.{}", each.analysis, each.table); });
  return alias != std::end(kAliases) ? alias->thing : kRowOf + path_of(table);
}

// Whether the cells of the column name what a row is of.
bool is_name(const Table& table, std::size_t column) {
  return column < table.key_columns() || table.columns()[column].name.ends_with("name");
}

// What rows may be called by: texts, else numbers.
std::vector<std::string> names_in(const std::vector<const Table*>& tables) {
  std::vector<std::string> texts;
  std::vector<std::string> numbers;
  std::set<std::string> seen;
  for (const Table* const table : tables) {
    for (const Table::Row& row : table->rows()) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (!is_name(*table, i) || row[i].is_empty()) continue;
        const CellKind kind = table->columns()[i].kind;
        std::vector<std::string>& names = kind == CellKind::kText ? texts : numbers;
        std::string name = cell_text(row[i], kind, true);
        if (!name.empty() && seen.insert(name).second) names.push_back(std::move(name));
      }
    }
  }
  return texts.empty() ? numbers : texts;
}

std::string columns_in(const DescribedTable& table) {
  std::string names;
  for (const DescribedColumn& column : table.columns.subspan(table.keys)) {
    if (column.is_pattern()) continue;
    std::string name = column.name;
    std::ranges::replace(name, ' ', '_');
    names += (names.empty() ? "" : " ") + name;
  }
  return names;
}

}  // namespace

std::vector<std::string> measured_facts() {
  std::vector<std::string> names;
  for (const TraceFact& fact : kFacts) names.emplace_back(fact.name);
  return names;
}

Result<Measure> Measure::of(const WhereSubject& subject) {
  if (!subject.of.empty()) {
    WhereSubject wanted = subject;
    const auto* const alias = std::ranges::find(kAliases, subject.of, &Alias::name);
    if (alias == std::end(kAliases)) {
      const DescribedTable* const table = table_called(subject.of);
      if (table != nullptr) return of_table(wanted, *table);
      const std::string near = did_you_mean(subject.of, table_names());
      return Status(Code::kInvalid,
                    fmt::format("there is no table {}{}", subject.of, near.empty() ? hint_of_span(subject) : near));
    }
    if (alias->row != nullptr && !wanted.row) wanted.row = alias->row;
    return of_table(wanted, *report::described_table(alias->analysis, alias->table));
  }
  const auto* const fact = std::ranges::find(kFacts, subject.name, &TraceFact::name);
  if (fact == std::end(kFacts)) {
    const std::string near = did_you_mean(subject.name, measured_facts());
    return Status(Code::kInvalid,
                  fmt::format("a trace has no fact {}{}", subject.name,
                              near.empty() ? fmt::format("; expected one of {}, or a column of a table such as "
                                                         "max(span:sum)",
                                                         fmt::join(measured_facts(), " "))
                                           : near));
  }
  Measure measure;
  measure.name_ = fact->name;
  measure.kind_ = fact->kind;
  return measure;
}

// The name of a span was probably meant.
std::string Measure::hint_of_span(const WhereSubject& subject) {
  if (subject.row) return "";
  WhereSubject span = subject;
  span.of = "span";
  span.row = subject.of;
  return of(span) ? "; try " + where_subject_text(span) : "";
}

Result<Measure> Measure::of_table(const WhereSubject& subject, const DescribedTable& table) {
  if (is_optional(table)) {
    return Status(Code::kInvalid, fmt::format("the table {} exists only with an option of evt stats", path_of(table)));
  }
  Measure measure;
  measure.table_ = &table;
  measure.thing_ = thing_in(table);
  measure.row_ = subject.row;
  const DescribedColumn* column = column_called(table, subject.name == "p50" ? "median" : subject.name);
  if (subject.name == kCounts[0]) {
    for (const char* const name : kCounts) column = column == nullptr ? column_called(table, name) : column;
  }
  const std::optional<double> percent = column == nullptr ? percentile_in(subject.name) : std::nullopt;
  if (percent && has_percentiles(table)) {
    measure.percentile_ = percent;
    measure.name_ = fmt::format("p{}", *percent);
    measure.kind_ = CellKind::kDuration;
    return measure;
  }
  if (column == nullptr) {
    return Status(Code::kInvalid, fmt::format("the table {} has no column {}; its columns are {}", path_of(table),
                                              subject.name, columns_in(table)));
  }
  measure.name_ = column->name;
  measure.kind_ = column->values == DescribedColumn::Values::kTexts ? CellKind::kText : column->kind;
  return measure;
}

bool Measure::is_count_in(const std::vector<SessionFindings>& sessions) const {
  if (table_ == nullptr || std::ranges::find(kCounts, name_) == std::end(kCounts)) return false;
  return std::ranges::any_of(sessions, [&](const SessionFindings& session) {
    return std::ranges::any_of(session.by_analysis, [&](const auto& each) { return each.first == table_->analysis; });
  });
}

void Measure::ask(RunOptions* options) const {
  if (table_ == nullptr) return;
  const AnalysisKind* const kind = analysis_kind(table_->analysis);
  // The summary is not one of the kinds.
  if (kind == nullptr) {
    options->summary = true;
  } else if (std::ranges::find(options->kinds, kind) == options->kinds.end()) {
    options->kinds.push_back(kind);
  }
  if (percentile_) options->analysis.percentiles.push_back(*percentile_);
}

std::vector<Measure::Value> Measure::fact(const Trace& trace, const std::vector<SessionFindings>& sessions) const {
  const TraceFact& fact = *std::ranges::find(kFacts, name_, &TraceFact::name);
  if (fact.of != nullptr) return {{"", Cell(fact.of(trace))}};
  std::vector<Value> values;
  for (const SessionFindings& session : sessions) {
    values.push_back({"", Cell(name_ == kEventsFact ? session.events : length_of(session.range))});
  }
  return values;
}

std::optional<std::string> Measure::wanted_row(const Table& table, const Table::Row& row) const {
  std::string first;
  bool is_wanted = !row_;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!is_name(table, i) || row[i].is_empty()) continue;
    const std::string text = cell_text(row[i], table.columns()[i].kind, true);
    const bool is_it = row_ && (text == *row_ || matches_pattern(*row_, text));
    if (first.empty() || (is_it && !is_wanted)) first = text;
    is_wanted = is_wanted || is_it;
  }
  return is_wanted ? std::optional(first) : std::nullopt;
}

void Measure::add_rows(const Table& table, std::vector<Value>* values) const {
  const auto column = table.column(name_);
  if (!column) return;
  for (const Table::Row& row : table.rows()) {
    if (table.is_facts()) {
      values->push_back({"", row[*column]});
    } else if (auto name = wanted_row(table, row)) {
      values->push_back({*std::move(name), row[*column]});
    }
  }
}

std::vector<Measure::Value> Measure::values(const Trace& trace, const std::vector<SessionFindings>& sessions) const {
  if (table_ == nullptr) return fact(trace, sessions);
  std::vector<Value> values;
  for (const Table* const table : tables(sessions)) add_rows(*table, &values);
  return values;
}

std::vector<const Table*> Measure::tables(const std::vector<SessionFindings>& sessions) const {
  std::vector<const Table*> tables;
  for (const SessionFindings& session : sessions) {
    for (const auto& [kind, findings] : session.by_analysis) {
      if (kind != table_->analysis) continue;
      for (const Table& table : findings.tables) {
        if (table.name() == table_->name) tables.push_back(&table);
      }
    }
  }
  return tables;
}

std::string Measure::absence(const std::vector<SessionFindings>& sessions) const {
  if (table_ == nullptr) return "the trace has no session";
  std::vector<std::string> names = names_in(tables(sessions));
  if (!row_ || names.empty()) {
    return "there are no " + (thing_.starts_with(kRowOf) ? "rows" + thing_.substr(3) : thing_ + "s");
  }
  return report::none_called(thing_.c_str(), *row_, std::move(names));
}

}  // namespace evt::tools
