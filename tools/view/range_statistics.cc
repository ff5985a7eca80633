#include "range_statistics.h"

#include <algorithm>

#include "base/json_object.h"
#include "base/report.h"
#include "base/table_forms.h"

namespace evt::tools {
namespace {

const char* unit_of(CellKind kind) {
  switch (kind) {
    case CellKind::kTime:
    case CellKind::kDuration:
      return "ns";
    case CellKind::kPercent:
      return "%";
    default:
      return "";
  }
}

void add_table(JsonObject& json, const Table& table) {
  json.name_text("title", table.name());
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    if (!table.columns()[i].is_hidden) shown.push_back(i);
  }
  json.objects("columns", shown, [&](JsonObject& each, std::size_t i) {
    each.name_text("name", table.columns()[i].name);
    each.name_text("unit", unit_of(table.columns()[i].kind));
  });
  json.list("rows", table.rows(), [&](TextBuffer& out, const Table::Row& row) {
    append_json_list(out, shown, [&](TextBuffer& to, std::size_t i) {
      append_json_text(to, cell_text(row[i], table.columns()[i].kind, true));
    });
  });
}

}  // namespace

std::string range_statistics_json(Trace& trace, std::size_t session, TimeRange range) {
  RunOptions run;
  run.range = [range](const Session&) { return range; };
  run.kinds = {analysis_kind("cpu"), analysis_kind("threads"), analysis_kind("gc")};
  // Of their lengths those of asynchronous spans alone: the others have rows to be looked at.
  if (may_have(trace.sessions()[session], {Role::kAsyncBegin})) run.kinds.push_back(analysis_kind("spans"));
  run.analysis.by = {"cpu", "thread"};
  run.failed = [](const std::string& sentence) { Report("evt view").say(sentence); };
  const std::vector<SessionFindings> all = report::run_sessions(trace, run);
  const auto found = std::find_if(all.begin(), all.end(), [&](const SessionFindings& findings) {
    return findings.session == &trace.sessions()[session];
  });
  std::vector<Table> tables;
  for (const auto& [kind, findings] : found->by_analysis) {
    for (const Table& table : findings.tables) {
      const bool is_shown = kind != "spans" || table.name() == "async";
      if (is_shown && !table.rows().empty()) tables.push_back(table);
    }
  }
  return json_text([&](JsonObject& json) { json.objects("tables", tables, add_table); });
}

}  // namespace evt::tools
