#include "csv_lines.h"

#include <algorithm>
#include <unordered_map>

#include "plain_value.h"
#include "text_syntax.h"
#include "trace_tables.h"

namespace evt::tools {
namespace {

// Ends of lines are escaped with the other control characters: each event is one line, whatever its texts hold.
void append_cell(std::string& out, std::string_view text) {
  std::string harmless;
  append_harmless(harmless, text);
  if (harmless.find_first_of(",\"") == harmless.npos) {
    out += harmless;
    return;
  }
  out += '"';
  for (const char c : harmless) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

class CsvLines : public EventLines {
 public:
  CsvLines(const DataOptions& options, const std::vector<const Trace*>& traces,
           const std::function<bool(const EventType&)>& wanted)
      : options_(options) {
    for (const Trace* const trace : traces) {
      sessions_ |= trace->sessions().size() > 1;
      for (const Session& session : trace->sessions()) {
        for (const EventType& type : session.types) {
          if (wanted(type)) add_columns(type.fields());
        }
      }
    }
  }

  void begin(std::string& out, const std::string& file, const Trace& trace) override {
    file_ = file;
    trace_ = &trace;
    if (!begun_) append_head(out);
    begun_ = true;
  }

  void append(std::string& out, const Event& event) override {
    if (options_.several) {
      append_cell(out, file_);
      out += ',';
    }
    if (sessions_) out += std::to_string(session_index(*trace_, event)) + ',';
    out += std::to_string(event.ns());
    if (options_.utc) out += ',' + iso_text(event.utc_ns());
    out += ',';
    append_cell(out, event.stream().name);
    out += ',';
    append_cell(out, event.type().name());
    append_values(out, event);
    out += "\r\n";
  }

 private:
  void add_columns(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      if (place_.emplace(field.name, names_.size()).second) names_.push_back(field.name);
    }
  }

  void append_head(std::string& out) const {
    std::vector<std::string> fixed = {"ns", "stream", "event"};
    if (options_.utc) fixed.insert(fixed.begin() + 1, "utc");
    if (sessions_) fixed.insert(fixed.begin(), "session");
    if (options_.several) fixed.insert(fixed.begin(), "file");
    const char* between = "";
    for (const std::string& name : fixed) {
      out += between + name;
      between = ",";
    }
    fixed.push_back("rest");
    for (const std::string& name : names_) {
      out += ',';
      const bool taken = std::find(fixed.begin(), fixed.end(), name) != fixed.end();
      append_cell(out, taken ? "field " + name : name);
    }
    out += ",rest\r\n";
  }

  void append_values(std::string& out, const Event& event) {
    cells_.assign(names_.size(), {});
    std::string rest;
    FieldWalker walker = event.values();
    while (const std::optional<Value> value = walker.next()) {
      const auto place = place_.find(value->field().name);
      if (place == place_.end()) {  // of a loss, which is no declared type
        rest += (rest.empty() ? "" : " ") + value->field().name + "=" + plain_scalar(event, *value).text;
      } else if (value->is_sequence()) {
        append_json_value(cells_[place->second], event, *value);
      } else {
        cells_[place->second] = plain_scalar(event, *value).text;
      }
    }
    if (!walker.rest().empty()) append_hex(rest, walker.rest().data(), walker.rest().size());
    for (const std::string& cell : cells_) {
      out += ',';
      append_cell(out, cell);
    }
    out += ',';
    append_cell(out, rest);
  }

  DataOptions options_;
  bool sessions_ = false;
  bool begun_ = false;
  std::string file_;
  const Trace* trace_ = nullptr;
  std::vector<std::string> names_;  // of the columns for fields
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<std::string> cells_;
};

}  // namespace

std::unique_ptr<EventLines> csv_lines(const DataOptions& options, const std::vector<const Trace*>& traces,
                                      const std::function<bool(const EventType&)>& wanted) {
  return std::make_unique<CsvLines>(options, traces, wanted);
}

}  // namespace evt::tools
