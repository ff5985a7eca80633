#include "range_statistics.h"

#include <evt/analysis/role_set.h>
#include <fmt/format.h>

#include <initializer_list>

#include "base/json_object.h"
#include "base/report.h"
#include "base/table_forms.h"

namespace evt::tools {
namespace {

struct Offered : PageStatistics {
  std::initializer_list<Role> roles;  // of which it has something; none: it is of all events
};

constexpr const char* kByObject[] = {"object"};
constexpr const char* kByCpuAndThread[] = {"cpu", "thread"};

const Offered kOffered[] = {
    {{"spans", "Spans and calls", "spans"},
     {Role::kSpanBegin, Role::kSpan, Role::kCallBegin, Role::kCall, Role::kAsyncBegin}},
    {{"stacks", "Code", "stacks"}, {Role::kSample}},
    {{"objects", "Files and objects", "usage", kByObject}, {Role::kCallBegin, Role::kCall}},
    {{"usage", "Resources", "usage"}, {Role::kCallBegin, Role::kCall, Role::kObjectOpen}},
    {{"threads", "Threads", "threads"}, {Role::kThreadRun, Role::kThreadStop}},
    {{"cpu", "Cpus", "cpu", kByCpuAndThread}, {Role::kThreadRun, Role::kThreadStop}},
    {{"gc", "Collections", "gc"}, {Role::kGcStart, Role::kSparkCreate, Role::kSparkCounters}},
    {{"share", "Share", "share"}, {Role::kThreadRun, Role::kSpanBegin, Role::kSpan, Role::kCallBegin}},
    {{"calls", "Callers", "calls"}, {Role::kSpanBegin, Role::kSpan, Role::kCallBegin, Role::kCall}},
    {{"counts", "Counted calls", "counts"}, {Role::kCallCounts}},
    {{"stops", "Stops", "stops"}, {Role::kStopped}},
    {{"overhead", "Tracing", "overhead"}, {Role::kOverhead}},
    {{"events", "Event types", "events"}, {}},
};

// A text as it is; a number as it is printed and, if that is less, as it is.
void append_cell(TextBuffer& out, const Cell& cell, CellKind kind) {
  if (cell.is_empty()) return void(out += "null");
  const std::string shown = cell_text(cell, kind, false);
  const std::string whole = cell_text(cell, kind, true);
  if (shown == whole) return append_json_text(out, shown);
  append_json_list(out, std::initializer_list<std::string_view>{shown, whole},
                   [](TextBuffer& to, std::string_view text) { append_json_text(to, text); });
}

void add_table(JsonObject& json, const Table& table, const char* analysis) {
  json.name_text("name", table.name());
  json.yes("facts", table.is_facts());
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    if (!table.columns()[i].is_hidden) shown.push_back(i);
  }
  json.objects("columns", shown, [&](JsonObject& each, std::size_t i) {
    const Table::Column& column = table.columns()[i];
    each.name_text("name", column.name);
    each.name_text("key", column.key());
    each.yes("text", column.kind == CellKind::kText);
    each.yes("time", column.kind == CellKind::kTime);
    each.text("means", report::meaning_of(analysis, table, column).description);
  });
  json.list("rows", table.rows(), [&](TextBuffer& out, const Table::Row& row) {
    append_json_list(out, shown,
                     [&](TextBuffer& to, std::size_t i) { append_cell(to, row[i], table.columns()[i].kind); });
  });
}

std::string text_of(const Findings& findings, const char* analysis) {
  std::vector<Table> tables;
  for (const Table& table : findings.tables) {
    if (!table.rows().empty()) tables.push_back(table);
  }
  return json_text([&](JsonObject& json) {
    json.objects("tables", tables, [&](JsonObject& each, const Table& table) { add_table(each, table, analysis); });
    json.texts("notes", findings.notes);
  });
}

}  // namespace

std::string PageStatistics::command() const {
  const std::string all = std::string("evt stats ") + analysis;
  return by.empty() ? all : fmt::format("{} --by {}", all, fmt::join(by, ","));
}

std::vector<const PageStatistics*> page_statistics(const Session& session) {
  std::vector<const PageStatistics*> found;
  for (const Offered& each : kOffered) {
    if (each.roles.size() == 0 || may_have(session, each.roles)) found.push_back(&each);
  }
  return found;
}

std::vector<std::string> range_statistics_json(Trace& trace, std::size_t session, TimeRange range,
                                               const std::vector<const PageStatistics*>& of,
                                               const std::function<void()>& meanwhile) {
  RunOptions run;
  run.progress = [&](std::uint64_t, std::uint64_t) { meanwhile(); };
  run.range = [range](const Session&) { return range; };
  for (const PageStatistics* const each : of) run.kinds.push_back(analysis_kind(each->analysis));
  run.analysis.by.assign(of.front()->by.begin(), of.front()->by.end());
  run.failed = [](const std::string& sentence) { Report("evt view").say(sentence); };
  const std::vector<SessionFindings> all = report::run_sessions(trace, run);
  const auto found = std::find_if(all.begin(), all.end(), [&](const SessionFindings& findings) {
    return findings.session == &trace.sessions()[session];
  });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < of.size(); ++i) {
    texts.push_back(text_of(found->by_analysis[i].second, of[i]->analysis));
  }
  return texts;
}

}  // namespace evt::tools
