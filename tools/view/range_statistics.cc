#include "range_statistics.h"

#include <algorithm>
#include <initializer_list>

#include "cli/common_options.h"
#include "json_object.h"
#include "report.h"
#include "stats/analysis.h"
#include "table_forms.h"

namespace evt::tools {
namespace {

struct Offered : PageStatistics {
  std::initializer_list<Role> roles;  // of which it has something; none: it is of all events
};

const Offered kOffered[] = {
    {{"spans", "Spans and calls", "spans", nullptr},
     {Role::kSpanBegin, Role::kSpan, Role::kCallBegin, Role::kCall, Role::kAsyncBegin}},
    {{"objects", "Files and objects", "usage", "object"}, {Role::kCallBegin, Role::kCall}},
    {{"usage", "Resources", "usage", nullptr}, {Role::kCallBegin, Role::kCall, Role::kObjectOpen}},
    {{"threads", "Threads", "threads", nullptr}, {Role::kThreadRun, Role::kThreadStop}},
    {{"cpu", "Cpus", "cpu", "cpu,thread"}, {Role::kThreadRun, Role::kThreadStop}},
    {{"gc", "Collections", "gc", nullptr}, {Role::kGcStart, Role::kSparkCreate, Role::kSparkCounters}},
    {{"share", "Share", "share", nullptr}, {Role::kThreadRun, Role::kSpanBegin, Role::kSpan, Role::kCallBegin}},
    {{"calls", "Callers", "calls", nullptr}, {Role::kSpanBegin, Role::kSpan, Role::kCallBegin, Role::kCall}},
    {{"counts", "Counted calls", "counts", nullptr}, {Role::kCallCounts}},
    {{"stops", "Stops", "stops", nullptr}, {Role::kStopped}},
    {{"overhead", "Tracing", "overhead", nullptr}, {Role::kOverhead}},
    {{"events", "Event types", "events", nullptr}, {}},
};

// By its index or, without counts there, by its types.
bool may_have(const Session& session, const std::initializer_list<Role>& roles) {
  return std::any_of(session.types.begin(), session.types.end(), [&](const EventType& type) {
    if (std::none_of(roles.begin(), roles.end(), [&](Role role) { return type.has_role(role); })) return false;
    return session.counts.empty() ||
           std::any_of(session.counts.begin(), session.counts.end(),
                       [&](const TypeCount& count) { return count.number == type.number() && count.rows > 0; });
  });
}

// A text as it is; a number as it is printed and, if that is less, as it is.
void append_cell(TextBuffer& out, const Cell& cell, CellKind kind) {
  if (cell.is_empty()) return void(out += "null");
  const std::string shown = cell_text(cell, kind, false);
  const std::string whole = cell_text(cell, kind, true);
  if (shown == whole) return append_json_text(out, shown);
  out += '[';
  append_json_text(out, shown);
  out += ',';
  append_json_text(out, whole);
  out += ']';
}

void append_table(TextBuffer& out, const Table& table, const char* analysis) {
  JsonObject json(out);
  json.name_text("name", table.name());
  json.yes("facts", table.is_facts());
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    if (!table.columns()[i].is_hidden) shown.push_back(i);
  }
  json.list("columns", shown, [&](std::size_t i) {
    const Table::Column& column = table.columns()[i];
    const report::ColumnMeaning meaning = report::meaning_of(analysis, table, column);
    JsonObject each(out);
    each.name_text("name", column.name);
    each.name_text("key", column.key());
    each.yes("text", column.kind == CellKind::kText);
    each.yes("time", column.kind == CellKind::kTime);
    each.text("means", meaning.description);
    each.end();
  });
  json.list("rows", table.rows(), [&](const Table::Row& row) {
    out += '[';
    const char* between = "";
    for (const std::size_t i : shown) {
      out += between;
      between = ",";
      append_cell(out, row[i], table.columns()[i].kind);
    }
    out += ']';
  });
  json.end();
}

}  // namespace

std::string PageStatistics::command() const {
  return by == nullptr ? std::string("evt stats ") + analysis : fmt::format("evt stats {} --by {}", analysis, by);
}

std::vector<const PageStatistics*> page_statistics(const Session& session) {
  std::vector<const PageStatistics*> found;
  for (const Offered& each : kOffered) {
    if (each.roles.size() == 0 || may_have(session, each.roles)) found.push_back(&each);
  }
  return found;
}

std::string range_statistics_json(Trace& trace, std::size_t session, TimeRange range, const PageStatistics& of) {
  RunOptions run;
  run.range = [range](const Session&) { return range; };
  run.kinds = {analysis_kind(of.analysis)};
  if (of.by != nullptr) run.analysis.by = between_commas(of.by);
  run.failed = [](const std::string& sentence) { Report("evt view").say(sentence); };
  const std::vector<SessionFindings> all = report::run_sessions(trace, run);
  const auto found = std::find_if(all.begin(), all.end(), [&](const SessionFindings& findings) {
    return findings.session == &trace.sessions()[session];
  });
  const Findings& findings = found->by_analysis.front().second;
  std::vector<Table> tables;
  for (const Table& table : findings.tables) {
    if (!table.rows().empty()) tables.push_back(table);
  }
  return text_from([&](TextBuffer& out) {
    JsonObject json(out);
    json.list("tables", tables, [&](const Table& table) { append_table(out, table, of.analysis); });
    json.texts("notes", findings.notes);
    json.end();
  });
}

}  // namespace evt::tools
