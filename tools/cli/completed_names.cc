#include "cli/completed_names.h"

#include <evt/rings.h>
#include <evt/trace.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "libtrace-read/export/src/base/enum_names.h"
#include "libtrace-read/export/src/base/shown.h"
#include "libtrace-read/report/src/described_tables.h"
#include "lines/event_column.h"
#include "where/where_expression.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMaxNames = 1000;
constexpr const char* kRoleMark = "role:";

void add(const std::string& name, std::set<std::string>* names) {
  if (!name.empty() && shown(name) == name && names->size() < kMaxNames) names->insert(name);
}

void add_names_of(const Session& session, TraceNames* names) {
  for (const StreamInfo& stream : session.streams) add(stream.name, &names->streams);
  for (const EventType& type : session.types) {
    add(type.name(), &names->types);
    for (const Field& field : type.fields()) {
      add(field.name, &names->fields);
      if (field.role != Role::kNone) add(to_string(field.role), &names->roles);
    }
  }
}

// These, and then those of the traces.
std::vector<std::string> with_names_of(const TraceNames& traces, std::vector<std::string> names) {
  names.insert(names.end(), traces.fields.begin(), traces.fields.end());
  for (const std::string& role : traces.roles) names.push_back(kRoleMark + role);
  return names;
}

}  // namespace

TraceNames names_of_traces(const std::vector<std::string>& words) {
  TraceNames names;
  for (const std::string& word : words) {
    struct stat facts;
    if (word.empty() || stat(word.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    const auto trace = Trace::open(word, {.rings = false});
    if (!trace) continue;
    for (const Session& session : trace->sessions()) add_names_of(session, &names);
  }
  return names;
}

std::vector<std::string> where_subjects(const TraceNames& names) { return with_names_of(names, where_properties()); }
std::vector<std::string> field_columns(const TraceNames& names) { return with_names_of(names, event_column_names()); }

std::vector<std::string> sort_columns(const std::vector<std::string>& analyses) {
  std::vector<std::string> columns;
  for (const report::DescribedTable& table : report::described_tables()) {
    const bool is_asked = std::find(analyses.begin(), analyses.end(), table.analysis) != analyses.end();
    if (!is_asked || table.name == std::string_view("session")) continue;
    for (const report::DescribedColumn& column : table.columns) {
      const std::string key = column.key();
      if (!column.is_pattern() && std::find(columns.begin(), columns.end(), key) == columns.end())
        columns.push_back(key);
    }
  }
  return columns;
}

std::vector<std::string> ring_names() {
  std::vector<std::string> names;
  for (const RingInfo& ring : list_rings()) names.push_back(ring.path.substr(ring.path.rfind('/') + 1));
  return names;
}

}  // namespace evt::tools
