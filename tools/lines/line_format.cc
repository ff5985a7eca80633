#include "line_format.h"

#include <fmt/core.h>

#include <utility>

#include "libtrace-read/text/last_time.h"
#include "libtrace-read/text/utf8.h"

namespace evt::tools {
namespace {

class FormatParser {
 public:
  explicit FormatParser(std::string_view text) : text_(text), rest_(text) {}

  Result<LineFormat> parse() {
    format_.texts.emplace_back();
    while (!rest_.empty()) {
      place_ += 1;
      const std::string_view character = take_character(&rest_);
      const Status status = character == "{"    ? opening_brace()
                            : character == "}"  ? closing_brace()
                            : character == "\\" ? escape()
                                                : plain(character);
      if (!status.ok()) return status;
    }
    return std::move(format_);
  }

 private:
  Status wrong(const std::string& sentence) const {
    return {Code::kInvalid, fmt::format("column {} of {}: {}", place_, text_, sentence)};
  }

  Status plain(std::string_view text) {
    format_.texts.back() += text;
    return {};
  }

  Status doubled(std::string_view brace) {
    rest_.remove_prefix(1);
    place_ += 1;
    return plain(brace);
  }

  Status opening_brace() {
    if (rest_.starts_with('{')) return doubled("{");
    const std::size_t end = rest_.find('}');
    if (end == rest_.npos) return wrong("expected a name and } after {, or {{");
    std::string_view name = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (name.empty()) return wrong("expected a name in {}");
    auto column = EventColumn::parse(name);
    if (!column) return wrong(column.status().message());
    format_.columns.push_back({place_, *std::move(column)});
    format_.texts.emplace_back();
    for (; !name.empty(); ++place_) take_character(&name);
    place_ += 1;
    return {};
  }

  Status closing_brace() { return rest_.starts_with('}') ? doubled("}") : wrong("expected { before }, or }}"); }

  Status escape() {
    const char next = rest_.empty() ? '\0' : rest_.front();
    if (next != 't' && next != 'n' && next != '\\') return wrong("expected \\t, \\n or \\\\");
    rest_.remove_prefix(1);
    place_ += 1;
    return plain(next == 't' ? "\t" : next == 'n' ? "\n" : "\\");
  }

  std::string_view text_;
  std::string_view rest_;
  std::size_t place_ = 0;  // of the character at hand, from 1 on
  LineFormat format_;
};

class FormattedLines : public EventLines {
 public:
  FormattedLines(LineFormat format, bool is_only_file) : format_(std::move(format)), is_only_file_(is_only_file) {}

  void begin(TextBuffer&, const std::string&, const Trace& trace) override {
    session_ = nullptr;
    last_.open(is_only_file_);
    for (PlacedColumn& each : format_.columns) each.column.begin(trace);
  }

  void append(TextBuffer& out, const Event& event) override {
    if (&event.session() != session_) {
      session_ = &event.session();
      last_.begin(*session_);
    }
    const std::int64_t delta_ns = last_.step_to(event.ns());
    for (std::size_t i = 0; i < format_.columns.size(); ++i) {
      out += format_.texts[i];
      format_.columns[i].column.append_text(out, event, delta_ns);
    }
    out += format_.texts.back();
    out += '\n';
  }

 private:
  LineFormat format_;
  bool is_only_file_;
  const Session* session_ = nullptr;
  LastTime last_;
};

}  // namespace

Result<LineFormat> parse_line_format(std::string_view text) { return FormatParser(text).parse(); }

std::unique_ptr<EventLines> formatted_lines(LineFormat format, bool is_only_file) {
  return std::make_unique<FormattedLines>(std::move(format), is_only_file);
}

}  // namespace evt::tools
