#include <evt/export/json_lines.h>
#include <fmt/core.h>

#include "libtrace-read/text/format_number.h"
#include "libtrace-read/text/last_time.h"
#include "libtrace-read/text/memo.h"
#include "libtrace-read/text/plain_value.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/text_syntax.h"
#include "libtrace-read/text/time_text.h"

namespace evt {
namespace {

class JsonLines : public EventLines {
 public:
  explicit JsonLines(const DataOptions& options) : options_(options) {}

  void begin(TextBuffer&, const std::string& file, const Trace& trace) override {
    file_ = file;
    trace_ = &trace;
    session_ = nullptr;
    last_.open(!options_.several);
    streams_.clear();
    types_.clear();
  }

  void append(TextBuffer& out, const Event& event) override {
    if (&event.session() != session_) begin_session(event);
    out += front_;
    const std::int64_t ns = event.ns();
    append_number(out, ns);
    if (options_.delta) {
      out += ",\"delta_ns\":";
      append_number(out, last_.step_to(ns));
    }
    if (options_.utc) append_time_of_day(out, ",\"utc\":\"", &utc_, event);
    if (options_.local) append_time_of_day(out, ",\"local\":\"", &local_, event);
    out += streams_.of(&event.stream(), [&] { return stream_part(event.stream()); });
    append_fields_of(out, event, types_.of(event.type(), [&] { return type_parts(event.type()); }));
    if (event.has_impossible_stamp()) {
      out += ",\"impossible_stamp\":";
      append_number(out, event.stamp());
    }
    out += "}\n";
  }

 private:
  // Common parts of all events of a type: everything but the values.
  struct TypeParts {
    CachedText name;
    std::vector<CachedText> fields;
  };

  void begin_session(const Event& event) {
    session_ = &event.session();
    last_.begin(*session_);
    front_ = CachedText(text_from([&](TextBuffer& out) {
      out += '{';
      if (options_.several) {
        out += "\"file\":";
        append_json_text(out, file_);
        out += ',';
      }
      if (trace_->sessions().size() > 1) out += fmt::format("\"session\":{},", session_index(*trace_, event));
      out += "\"ns\":";
    }));
  }

  static void append_time_of_day(TextBuffer& out, const char* member, TimeText* time, const Event& event) {
    out += member;
    time->append(out, event.utc_ns());
    out += '"';
  }

  static CachedText stream_part(const StreamInfo& stream) {
    return CachedText(text_from([&](TextBuffer& out) {
      out += ",\"stream\":";
      append_json_text(out, stream.name);
      out += fmt::format(",\"stream_id\":{}", stream.id);
      if (stream.thread != 0) out += fmt::format(",\"thread\":{}", stream.thread);
      out += ",\"event\":";
    }));
  }

  static TypeParts type_parts(const EventType& type) {
    TypeParts parts;
    parts.name = CachedText(text_from([&](TextBuffer& out) {
      append_json_text(out, type.name());
      out += ",\"fields\":{";
    }));
    for (const Field& field : type.fields()) {
      parts.fields.emplace_back(text_from([&](TextBuffer& out) {
        if (!parts.fields.empty()) out += ',';
        append_json_text(out, field.name);
        out += ':';
      }));
    }
    return parts;
  }

  void append_fields_of(TextBuffer& out, const Event& event, const TypeParts& parts) {
    out += parts.name;
    FieldWalker walker = event.values();
    const CachedText* field = parts.fields.data();
    while (const std::optional<Value> value = walker.next()) {
      out += *field++;
      append_json_value(out, event, *value, made_);
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
  const Session* session_ = nullptr;
  CachedText front_;  // begins each line of the session
  Memo<const StreamInfo*, CachedText> streams_;
  TypeMemo<TypeParts> types_;
  TimeText utc_{TimeText::Style::kIso};
  TimeText local_{TimeText::Style::kLocalIso};
  LastTime last_;
  TextBuffer made_;
};

}  // namespace

std::unique_ptr<EventLines> json_lines(const DataOptions& options) { return std::make_unique<JsonLines>(options); }

}  // namespace evt
