#include "range_statistics.h"

#include <evt/analysis/role_set.h>
#include <fmt/format.h>

#include <initializer_list>
#include <map>

#include "base/json_object.h"
#include "base/report.h"
#include "base/table_forms.h"
#include "libtrace-read/text/format_number.h"
#include "libtrace-view/rows/span_rows.h"
#include "view/flame_graphs.h"

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
    {{"flame-samples", "Flame graph", "stacks", {}, true}, {Role::kSample}},
    {{"flame-spans", "Flame graph of spans", "calls", {}, true},
     {Role::kSpanBegin, Role::kSpan, Role::kCallBegin, Role::kCall}},
    {{"objects", "Files and objects", "usage", kByObject}, {Role::kCallBegin, Role::kCall}},
    {{"usage", "Resources", "usage"}, {Role::kCallBegin, Role::kCall, Role::kObjectOpen}},
    {{"locks", "Locks", "locks"}, {Role::kCallBegin, Role::kCall, Role::kLockRelease}},
    {{"threads", "Threads", "threads"}, {Role::kThreadRun, Role::kThreadStop}},
    {{"latency", "Scheduling delays", "latency"}, {Role::kThreadRun, Role::kThreadWake}},
    {{"cpu", "Cpus", "cpu", kByCpuAndThread}, {Role::kThreadRun, Role::kThreadStop}},
    {{"gc", "Collections", "gc"}, {Role::kGcStart, Role::kSparkCreate, Role::kSparkCounters}},
    {{"share", "Share", "share"}, {Role::kThreadRun, Role::kSpanBegin, Role::kSpan, Role::kCallBegin}},
    {{"calls", "Callers", "calls"}, {Role::kSpanBegin, Role::kSpan, Role::kCallBegin, Role::kCall}},
    {{"counts", "Counted calls", "counts"}, {Role::kCallCounts}},
    {{"stops", "Stops", "stops"}, {Role::kStopped}},
    {{"counters", "Counters", "counters"}, {Role::kCounter, Role::kCounterTotal, Role::kCounterDelta}},
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

// Of each box its depth, name, time and time of its own: [0,0,45,0,1,1,45,10]. What is left out takes less than a
// pixel.
void append_boxes(TextBuffer& out, const view::FlameTree& tree, std::map<std::string, std::size_t>* names) {
  std::vector<std::uint64_t> numbers;
  for (const view::FlameTree::Box& box : tree.boxes()) {
    const std::size_t name = names->try_emplace(box.name, names->size()).first->second;
    numbers.insert(numbers.end(), {box.depth, name, box.sum, box.self});
  }
  append_json_list(out, numbers, [](TextBuffer& to, std::uint64_t number) { append_number(to, number); });
}

std::string flame_of(const Findings& findings) {
  constexpr std::uint64_t kParts = 2000;
  return json_text([&](JsonObject& json) {
    std::map<std::string, std::size_t> names;
    json.list("flame", std::initializer_list<bool>{false, true}, [&](TextBuffer& out, bool inverted) {
      append_boxes(out, flame_tree(findings, inverted, kParts), &names);
    });
    std::vector<std::string_view> texts(names.size());
    for (const auto& [name, number] : names) texts[number] = name;
    json.list("names", texts, [](TextBuffer& out, std::string_view name) { append_json_text(out, name); });
    json.list("hues", texts, [](TextBuffer& out, std::string_view name) {
      append_number(out, std::uint64_t{view::hue_of(std::string(name))});
    });
    json.texts("notes", findings.notes);
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
  if (is_flame) return fmt::format("evt view --flame={} -o flame.svg", name + std::string_view("flame-").size());
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
  run.analysis.calls.fold = of.front()->is_flame;
  run.analysis.by.assign(of.front()->by.begin(), of.front()->by.end());
  run.failed = [](const std::string& sentence) { Report("evt view").say(sentence); };
  const std::vector<SessionFindings> all = report::run_sessions(trace, run);
  const auto found = std::find_if(all.begin(), all.end(), [&](const SessionFindings& findings) {
    return findings.session == &trace.sessions()[session];
  });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const Findings& findings = found->by_analysis[i].second;
    texts.push_back(of[i]->is_flame ? flame_of(findings) : text_of(findings, of[i]->analysis));
  }
  return texts;
}

}  // namespace evt::tools
