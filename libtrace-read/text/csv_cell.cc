#include "csv_cell.h"

#include <fmt/format.h>

#include "plain_value.h"
#include "text_syntax.h"

namespace evt {
namespace {

// Spreadsheets take such beginnings for a formula, which may run a program. Infinity does not come from the trace's
// texts.
bool is_formula(std::string_view text) {
  return std::string_view("=+-@").find(text.front()) != std::string_view::npos && text != "-inf";
}

}  // namespace

void append_csv_cell(TextBuffer& out, std::string_view text) {
  if (text.empty()) return;
  const std::size_t start = out.size();
  if (is_formula(text)) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", text.front());
    text.remove_prefix(1);
  }
  append_harmless(out, text);
  const std::string_view harmless = out.text().substr(start);
  if (harmless.find(',') == harmless.npos && harmless.find('"') == harmless.npos) return;
  const std::string bare(harmless);
  out.cut(start);
  out += '"';
  for (const char c : bare) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_csv_value(TextBuffer& out, const Event& event, const Value& value, TextBuffer& made) {
  if (value.is_sequence()) {
    TextBuffer sequence;
    append_json_value(sequence, event, value, made);
    append_csv_cell(out, sequence.text());
  } else if (value.is_absent() || !event.is_known(value)) {
    return;
  } else if (const auto text = append_unless_text(out, event, value, made)) {
    append_csv_cell(out, *text);
  }
}

}  // namespace evt
