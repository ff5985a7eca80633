#include "json_lines.h"

#include <fmt/format.h>

#include "plain_value.h"
#include "text_syntax.h"
#include "trace_tables.h"

namespace evt::tools {
namespace {

class JsonLines : public EventLines {
 public:
  explicit JsonLines(const DataOptions& options) : options_(options) {}

  void begin(std::string&, const std::string& file, const Trace& trace) override {
    file_ = file;
    trace_ = &trace;
  }

  void append(std::string& out, const Event& event) override {
    out += '{';
    if (options_.several) {
      out += "\"file\":";
      append_json_text(out, file_);
      out += ',';
    }
    if (trace_->sessions().size() > 1)
      fmt::format_to(std::back_inserter(out), "\"session\":{},", session_index(*trace_, event));
    fmt::format_to(std::back_inserter(out), "\"ns\":{}", event.ns());
    if (options_.utc) fmt::format_to(std::back_inserter(out), ",\"utc\":\"{}\"", iso_text(event.utc_ns()));
    out += ",\"stream\":";
    append_json_text(out, event.stream().name);
    fmt::format_to(std::back_inserter(out), ",\"stream_id\":{},\"event\":", event.stream().id);
    append_json_text(out, event.type().name());
    append_fields_of(out, event);
    out += "}\n";
  }

 private:
  static void append_fields_of(std::string& out, const Event& event) {
    out += ",\"fields\":{";
    const char* between = "";
    FieldWalker walker = event.values();
    while (const std::optional<Value> value = walker.next()) {
      out += between;
      between = ",";
      append_json_text(out, value->field().name);
      out += ':';
      append_json_value(out, event, *value);
    }
    out += '}';
    if (walker.rest().empty()) return;
    out += ",\"rest\":\"";
    append_hex(out, walker.rest().data(), walker.rest().size());
    out += '"';
  }

  DataOptions options_;
  std::string file_;
  const Trace* trace_ = nullptr;
};

}  // namespace

std::unique_ptr<EventLines> json_lines(const DataOptions& options) { return std::make_unique<JsonLines>(options); }

}  // namespace evt::tools
