// Rows of text for people, in columns.
#pragma once

#include <evt/text/text_buffer.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace evt::tools {

// How tables look on a terminal. By itself that of a file, which has room for everything.
struct TableLook {
  bool has_bold_head = false;
  bool is_markdown = false;        // as GitHub has tables, and nothing shortened
  std::size_t columns = SIZE_MAX;  // texts are shortened until a row fits, or they have few characters left
  bool* is_shortened = nullptr;    // becomes true if one was; may be null
  // Columns are left out, too, the least needed first, but none of these names; which they are, each once.
  std::vector<std::string> keeps{};
  std::vector<std::string>* left_out = nullptr;  // null: none is
};

// Each column is as wide as its widest cell, or narrower if it has texts and the look has no room; the last one runs
// on.
class AlignedRows {
 public:
  // `right`: which columns end at the same place instead of beginning there.
  AlignedRows(std::vector<std::string> head, std::vector<bool> right);
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // Appends what was added since the last call. What was appended before has its columns, which get no narrower.
  void append_to(TextBuffer& out, const TableLook& look = {});
  // Of what was added since.
  std::size_t rows() const { return rows_.size(); }

 private:
  void fit(const TableLook& look);
  void append_as_markdown(TextBuffer& out);

  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> least_;   // widths of columns of texts that are shortened
  std::vector<std::size_t> widths_;  // of all
  bool has_head_ = true;             // the first row is the head
};

}  // namespace evt::tools
