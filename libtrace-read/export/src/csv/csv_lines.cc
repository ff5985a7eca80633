#include <evt/export/csv_lines.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "libtrace-read/text/csv_cell.h"
#include "libtrace-read/text/format_number.h"
#include "libtrace-read/text/last_time.h"
#include "libtrace-read/text/memo.h"
#include "libtrace-read/text/plain_value.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/stream_names.h"
#include "libtrace-read/text/text_syntax.h"
#include "libtrace-read/text/time_text.h"

namespace evt {
namespace {

class CsvLines : public EventLines {
 public:
  CsvLines(const DataOptions& options, const std::vector<const Trace*>& traces,
           const std::function<bool(const EventType&)>& wanted)
      : options_(options) {
    for (const Trace* const trace : traces) {
      sessions_ |= trace->sessions().size() > 1;
      StreamNames names;
      names.begin(*trace);
      stream_ids_ |= names.any_is_shared();
      for (const Session& session : trace->sessions()) {
        for (const EventType& type : session.types) {
          if (wanted(type)) add_columns(type.fields());
        }
        for (const StreamInfo& stream : session.streams) threads_ |= stream.thread != 0;
      }
    }
  }

  void begin(TextBuffer& out, const std::string& file, const Trace& trace) override {
    file_ = file;
    trace_ = &trace;
    session_ = nullptr;
    last_.open(!options_.several);
    streams_.clear();
    types_.clear();
    if (!begun_) append_head(out);
    begun_ = true;
  }

  void append(TextBuffer& out, const Event& event) override {
    if (&event.session() != session_) begin_session(event);
    out += front_;
    const std::int64_t ns = event.ns();
    append_number(out, ns);
    if (options_.delta) {
      out += ',';
      append_number(out, last_.step_to(ns));
    }
    if (options_.utc) {
      out += ',';
      utc_.append(out, event.utc_ns());
    }
    if (options_.local) {
      out += ',';
      local_.append(out, event.utc_ns());
    }
    out += streams_.of(&event.stream(), [&] { return stream_cells(event.stream()); });
    const TypeParts& type = types_.of(event.type(), [&] { return type_parts(event.type()); });
    out += type.name;
    append_values(out, event, type);
    out += "\r\n";
  }

 private:
  static constexpr std::size_t kNowhere = SIZE_MAX;
  // The cells of a type's fields. Fields come in their own order and are printed in that of the columns.
  struct TypeParts {
    CachedText name;
    std::vector<std::size_t> cells;  // by field
    std::vector<CachedText> before;  // by cell: commas
    CachedText behind;
  };

  void begin_session(const Event& event) {
    session_ = &event.session();
    last_.begin(*session_);
    front_ = CachedText(text_from([&](TextBuffer& out) {
      if (options_.several) {
        append_csv_cell(out, file_);
        out += ',';
      }
      if (sessions_) out += std::to_string(session_index(*trace_, event)) + ',';
    }));
  }

  static CachedText cell_of(const std::string& text) {
    return CachedText(text_from([&](TextBuffer& out) {
      out += ',';
      append_csv_cell(out, text);
    }));
  }

  CachedText stream_cells(const StreamInfo& stream) const {
    return CachedText(text_from([&](TextBuffer& out) {
      out += cell_of(stream.name);
      if (stream_ids_) out += fmt::format(",{}", stream.id);
      if (threads_) out += stream.thread == 0 ? "," : fmt::format(",{}", stream.thread);
    }));
  }

  TypeParts type_parts(const EventType& type) const {
    std::map<std::size_t, std::size_t> field_of_column;
    for (std::size_t i = 0; i < type.fields().size(); ++i) {
      const auto place = place_.find(type.fields()[i].name);
      if (place != place_.end()) field_of_column[place->second] = i;
    }
    TypeParts parts{cell_of(type.name()), std::vector<std::size_t>(type.fields().size(), kNowhere), {}, {}};
    std::size_t next = 0;
    for (const auto& [column, field] : field_of_column) {
      parts.cells[field] = parts.before.size();
      parts.before.emplace_back(std::string(column + 1 - next, ','));
      next = column + 1;
    }
    parts.behind = CachedText(std::string(names_.size() + 1 - next, ','));
    return parts;
  }

  void add_columns(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      if (place_.emplace(field.name, names_.size()).second) names_.push_back(field.name);
    }
  }

  void append_head(TextBuffer& out) const {
    std::vector<std::string> fixed;
    const auto add_if = [&](bool is_there, const char* name) {
      if (is_there) fixed.emplace_back(name);
    };
    add_if(options_.several, "file");
    add_if(sessions_, "session");
    fixed.emplace_back("ns");
    add_if(options_.delta, "delta_ns");
    add_if(options_.utc, "utc");
    add_if(options_.local, "local");
    fixed.emplace_back("stream");
    add_if(stream_ids_, "stream_id");
    add_if(threads_, "stream_thread");
    fixed.emplace_back("event");
    const char* between = "";
    for (const std::string& name : fixed) {
      out += between + name;
      between = ",";
    }
    fixed.push_back("rest");
    for (const std::string& name : names_) {
      out += ',';
      const bool taken = std::ranges::find(fixed, name) != fixed.end();
      append_csv_cell(out, taken ? "field " + name : name);
    }
    out += ",rest\r\n";
  }

  void append_values(TextBuffer& out, const Event& event, const TypeParts& type) {
    early_.clear();
    rest_.clear();
    std::size_t done = 0;  // cells
    FieldWalker walker = event.values();
    const std::size_t* cell = type.cells.data();
    for (; const std::optional<Value> value = walker.next(); ++cell) {
      if (*cell == done) {
        out += type.before[done++];
        append_csv_value(out, event, *value, made_);
      } else if (*cell == kNowhere) {
        append_to_rest(event, *value);
      } else {
        early_.resize(type.before.size());
        early_[*cell] = value;
      }
    }
    for (; done < type.before.size(); ++done) {
      out += type.before[done];
      if (done < early_.size() && early_[done]) append_csv_value(out, event, *early_[done], made_);
    }
    if (!walker.rest().empty()) append_hex(rest_, walker.rest().data(), walker.rest().size());
    out += type.behind;
    append_csv_cell(out, rest_.text());
  }

  // For a loss, whose type is not declared, or a field before another of the same name.
  void append_to_rest(const Event& event, const Value& value) {
    if (value.is_absent() || !event.is_known(value)) return;
    if (rest_.size() > 0) rest_ += ' ';
    rest_ += value.field().name;
    rest_ += '=';
    if (const auto text = append_unless_text(rest_, event, value, made_)) rest_ += *text;
  }

  DataOptions options_;
  bool sessions_ = false;
  bool stream_ids_ = false;
  bool threads_ = false;
  bool begun_ = false;
  std::string file_;
  const Trace* trace_ = nullptr;
  std::vector<std::string> names_;  // names of the columns for fields
  std::unordered_map<std::string, std::size_t> place_;

  const Session* session_ = nullptr;
  CachedText front_;  // begins each line of the session
  Memo<const StreamInfo*, CachedText> streams_;
  TypeMemo<TypeParts> types_;
  TimeText utc_{TimeText::Style::kIso};
  TimeText local_{TimeText::Style::kLocalIso};
  LastTime last_;
  std::vector<std::optional<Value>> early_;  // by cell: values of a line that come before earlier cells
  TextBuffer rest_;
  TextBuffer made_;
};

}  // namespace

std::unique_ptr<EventLines> csv_lines(const DataOptions& options, const std::vector<const Trace*>& traces,
                                      const std::function<bool(const EventType&)>& wanted) {
  return std::make_unique<CsvLines>(options, traces, wanted);
}

}  // namespace evt
