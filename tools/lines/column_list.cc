#include "column_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/text/csv_cell.h"
#include "libtrace-read/text/last_time.h"
#include "libtrace-read/text/plain_value.h"
#include "libtrace-read/text/shown.h"
#include "libtrace-read/text/text_syntax.h"
#include "libtrace-read/text/utf8.h"

namespace evt::tools {
namespace {

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) take_character(&text);
  return count;
}

// For programs: JSON, or CSV behind one head.
class DataColumns : public EventLines {
 public:
  DataColumns(const ColumnForm& form, std::vector<PlacedColumn> columns) : form_(form), columns_(std::move(columns)) {}

  void begin(TextBuffer& out, const std::string& file, const Trace& trace) override {
    file_ = file;
    trace_ = &trace;
    session_ = nullptr;
    last_.open(!form_.several_files);
    for (PlacedColumn& each : columns_) each.column.begin(trace);
    if (is_json() || std::exchange(begun_, true)) return;
    const char* between = "";
    const auto add = [&](const std::string& name) {
      out += std::exchange(between, ",");
      append_csv_cell(out, name);
    };
    if (form_.several_files) add("file");
    if (form_.several_sessions) add("session");
    for (const PlacedColumn& each : columns_) add(key_of(each.column));
    out += "\r\n";
  }

  void append(TextBuffer& out, const Event& event) override {
    if (&event.session() != session_) begin_session(event);
    const std::int64_t delta_ns = last_.step_to(event.ns());
    out += front_;
    bool is_first = true;
    for (PlacedColumn& each : columns_) {
      if (!std::exchange(is_first, false)) out += ',';
      if (is_json()) {
        append_json_text(out, key_of(each.column));
        out += ':';
      }
      each.column.append_data(out, event, delta_ns,
                              is_json() ? EventColumn::DataForm::kJson : EventColumn::DataForm::kCsv);
    }
    out += is_json() ? "}\n" : "\r\n";
  }

 private:
  bool is_json() const { return form_.kind == ColumnForm::Kind::kJson; }

  // Of a field that is called as what is in front of the columns is.
  static std::string key_of(const EventColumn& column) {
    const std::string key = column.key();
    return key == "file" || key == "session" ? "field " + key : key;
  }

  void begin_session(const Event& event) {
    session_ = &event.session();
    last_.begin(*session_);
    front_ = CachedText(text_from([&](TextBuffer& out) {
      const std::string session = std::to_string(session_index(*trace_, event));
      if (is_json()) out += '{';
      if (form_.several_files) {
        if (is_json()) out += "\"file\":";
        is_json() ? append_json_text(out, file_) : append_csv_cell(out, file_);
        out += ',';
      }
      const bool has_session = is_json() ? trace_->sessions().size() > 1 : form_.several_sessions;
      if (has_session) out += (is_json() ? "\"session\":" : "") + session + ",";
    }));
  }

  ColumnForm form_;
  std::vector<PlacedColumn> columns_;
  bool begun_ = false;
  std::string file_;
  const Trace* trace_ = nullptr;
  const Session* session_ = nullptr;
  CachedText front_;  // of each line of the session
  LastTime last_;
};

// For people: as wide as what has been printed, behind heads for each trace.
class AlignedColumns : public EventLines {
 public:
  AlignedColumns(const ColumnForm& form, std::vector<PlacedColumn> columns, WantsTypeOf wants_type)
      : form_(form), columns_(std::move(columns)), wants_type_(std::move(wants_type)) {}

  void begin(TextBuffer& out, const std::string& file, const Trace& trace) override {
    if (form_.several_files) out += fmt::format("{}# {}\n", std::exchange(between_, "\n"), shown(file));
    has_sessions_ = trace.sessions().size() > 1;
    session_ = nullptr;
    last_.open(!form_.several_files);
    for (PlacedColumn& each : columns_) each.column.begin(trace);
    const bool has_heads = form_.several_files || cells_.empty();
    if (has_heads) append_heads(out, trace);
  }

  void append(TextBuffer& out, const Event& event) override {
    if (&event.session() != session_) begin_session(out, event.session());
    const std::int64_t delta_ns = last_.step_to(event.ns());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      cell_.clear();
      columns_[i].column.append_text(cell_, event, delta_ns);
      append_cell(out, i, cell_.text());
    }
    end_line(out, "");
  }

 private:
  static constexpr std::size_t kMaxWidth = 40;  // a longer one does not move those below it
  struct Cell {
    std::size_t width;
    bool is_right;
  };

  void append_heads(TextBuffer& out, const Trace& trace) {
    std::vector<std::string> heads;
    cells_.clear();
    for (PlacedColumn& each : columns_) {
      const std::string head = text_from([&](TextBuffer& text) { append_harmless(text, each.column.name()); });
      const std::size_t width = std::max(columns_of(head), each.column.least_width(trace));
      cells_.push_back({width, each.column.is_of_numbers(trace, wants_type_)});
      heads.push_back(head);
    }
    if (form_.color) out += "\x1b[1m";
    for (std::size_t i = 0; i < columns_.size(); ++i) append_cell(out, i, heads[i]);
    end_line(out, form_.color ? "\x1b[0m" : "");
  }

  void begin_session(TextBuffer& out, const Session& session) {
    session_ = &session;
    if (last_.begin(session) && has_sessions_) {
      out += fmt::format("# session of {}, {}\n", shown_program(session), utc_text(session.start_utc_ns));
    }
  }

  void append_cell(TextBuffer& out, std::size_t i, std::string_view text) {
    Cell& cell = cells_[i];
    const std::size_t width = columns_of(text);
    if (width > cell.width && width <= kMaxWidth) cell.width = width;
    const std::size_t spaces = cell.width - std::min(width, cell.width);
    if (cell.is_right) out.append(spaces, ' ');
    out += text;
    if (i + 1 == columns_.size()) return;
    if (!cell.is_right) out.append(spaces, ' ');
    out += "  ";
  }

  static void end_line(TextBuffer& out, std::string_view behind) {
    while (out.size() > 0 && out.back() == ' ') out.pop_back();
    out += behind;
    out += '\n';
  }

  ColumnForm form_;
  std::vector<PlacedColumn> columns_;
  WantsTypeOf wants_type_;
  const char* between_ = "";
  bool has_sessions_ = false;
  const Session* session_ = nullptr;
  std::vector<Cell> cells_;
  TextBuffer cell_;
  LastTime last_;
};

}  // namespace

Result<std::vector<PlacedColumn>> parse_columns(std::string_view text) {
  std::vector<PlacedColumn> columns;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t column = characters_in(text.substr(0, at)) + 1;
    const auto wrong = [&](const std::string& sentence) {
      return Status(Code::kInvalid, fmt::format("column {} of {}: {}", column, text, sentence));
    };
    const bool is_quoted = at < text.size() && text[at] == '"';
    const std::size_t quote = is_quoted ? text.find('"', at + 1) : at;
    if (quote == text.npos) return wrong("a quote has no other one");
    const std::size_t end = std::min(text.find(',', quote), text.size());
    const std::string_view name = text.substr(at, end - at);
    if (name.empty()) return wrong("expected a name");
    auto parsed = EventColumn::parse(name);
    if (!parsed) return wrong(parsed.status().message());
    // Whether others are the same is known when they are resolved: see check_distinct().
    const auto same = [&](const PlacedColumn& each) { return each.column.name() == parsed->name(); };
    if (std::ranges::any_of(columns, same)) return wrong(fmt::format("{} is there twice", name));
    columns.push_back({column, *std::move(parsed)});
    at = end + 1;
  }
  return columns;
}

Status resolve_columns(std::vector<PlacedColumn>* columns, const std::string& text,
                       const std::vector<const Trace*>& traces, const WantsTypeOf& wants_type) {
  for (PlacedColumn& each : *columns) {
    const std::string lack = each.column.resolve(traces, wants_type);
    if (!lack.empty()) return {Code::kInvalid, fmt::format("column {} of {}: {}", each.at, text, lack)};
  }
  return {};
}

Status check_distinct(const std::vector<PlacedColumn>& columns, const std::string& text) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (columns[k].column.key() != columns[i].column.key()) continue;
      return {Code::kInvalid,
              fmt::format("column {} of {}: {} is there twice", columns[i].at, text, columns[i].column.name())};
    }
  }
  return {};
}

std::unique_ptr<EventLines> column_lines(const ColumnForm& form, std::vector<PlacedColumn> columns,
                                         WantsTypeOf wants_type) {
  if (form.kind != ColumnForm::Kind::kText) return std::make_unique<DataColumns>(form, std::move(columns));
  return std::make_unique<AlignedColumns>(form, std::move(columns), std::move(wants_type));
}

}  // namespace evt::tools
