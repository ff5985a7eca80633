#include "aligned_rows.h"

#include <algorithm>
#include <numeric>

#include "libtrace-read/text/text_syntax.h"
#include "libtrace-read/text/utf8.h"
#include "markdown_rows.h"

namespace evt::tools {
namespace {

constexpr std::size_t kGap = 2;         // columns between two cells
constexpr std::size_t kShortest = 12;   // a text that is shortened still has so much
constexpr const char* kEllipsis = "…";  // one column

// The text, or its beginning and an ellipsis.
std::string shortened(std::string_view text, std::size_t width) {
  if (columns_of(text) <= width) return std::string(text);
  std::size_t size = 0;
  for (std::string_view rest = text;;) {
    take_character(&rest);
    const std::size_t taken = text.size() - rest.size();
    if (columns_of(text.substr(0, taken)) + 1 > width) break;
    size = taken;
  }
  return std::string(text.substr(0, size)) + kEllipsis;
}

}  // namespace

AlignedRows::AlignedRows(std::vector<std::string> head, std::vector<bool> right) : right_(std::move(right)) {
  for (const std::string& text : head) least_.push_back(std::max(kShortest, columns_of(text)));
  widths_.assign(right_.size(), 0);
  rows_.push_back(std::move(head));
}

void AlignedRows::fit(const TableLook& look) {
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], columns_of(row[i]));
  }
  std::size_t all = std::accumulate(widths_.begin(), widths_.end(), kGap * (widths_.empty() ? 0 : widths_.size() - 1));
  // The widest texts first, by a column each time.
  for (; all > look.columns; --all) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const bool may_be = !right_[i] && widths_[i] > least_[i];
      if (may_be && (widest == nullptr || widths_[i] > *widest)) widest = &widths_[i];
    }
    if (widest == nullptr) break;
    --*widest;
  }
}

void AlignedRows::append_as_markdown(TextBuffer& out) {
  for (const auto& row : rows_) {
    append_markdown_row(out, row);
    if (std::exchange(has_head_, false)) append_markdown_rule(out, right_);
  }
  rows_.clear();
}

void AlignedRows::append_to(TextBuffer& out, const TableLook& look) {
  if (look.is_markdown) return append_as_markdown(out);
  fit(look);
  for (const auto& row : rows_) {
    const bool is_bold = look.has_bold_head && std::exchange(has_head_, false);
    if (is_bold) out += "\x1b[1m";
    const std::size_t begin = out.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_short = columns_of(row[i]) > widths_[i];
      if (is_short && look.is_shortened != nullptr) *look.is_shortened = true;
      if (right_[i]) out.append(widths_[i] - columns_of(row[i]), ' ');
      append_padded(out, is_short ? shortened(row[i], widths_[i]) : row[i], right_[i] ? 0 : widths_[i]);
      out += "  ";
    }
    while (out.size() > begin && out.back() == ' ') out.pop_back();
    if (is_bold) out += "\x1b[0m";
    out += '\n';
  }
  rows_.clear();
}

}  // namespace evt::tools
