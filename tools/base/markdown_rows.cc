#include "markdown_rows.h"

#include <string_view>

namespace evt::tools {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// An underscore emphasises only at the edge of a word.
bool is_markup(std::string_view text, std::size_t at) {
  const bool is_inside = at > 0 && at + 1 < text.size() && is_word(text[at - 1]) && is_word(text[at + 1]);
  return text[at] == '_' ? !is_inside : std::string_view("|\\`*<[~&").find(text[at]) != std::string_view::npos;
}

void append_cell(TextBuffer& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_markup(text, i)) out += '\\';
    out += text[i];
  }
}

}  // namespace

void append_markdown_row(TextBuffer& out, const std::vector<std::string>& cells) {
  out += '|';
  for (const std::string& cell : cells) {
    out += ' ';
    append_cell(out, cell);
    out += " |";
  }
  out += '\n';
}

void append_markdown_rule(TextBuffer& out, const std::vector<bool>& right) {
  out += '|';
  for (const bool is_right : right) out += is_right ? " ---: |" : " --- |";
  out += '\n';
}

}  // namespace evt::tools
