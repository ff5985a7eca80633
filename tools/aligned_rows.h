// Rows of text for people, in columns.
#pragma once

#include <evt/export/text_buffer.h>

#include <string>
#include <utility>
#include <vector>

#include "table_look.h"

namespace evt::tools {

// Each column is as wide as its widest cell, or narrower if it has texts and the look has no room; the last one runs
// on.
class AlignedRows {
 public:
  // `right`: which columns end at the same place instead of beginning there.
  AlignedRows(std::vector<std::string> head, std::vector<bool> right) : right_(std::move(right)) {
    rows_.push_back(std::move(head));
  }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void append_to(TextBuffer& out, const TableLook& look = {}) const;

 private:
  std::vector<std::size_t> widths_in(const TableLook& look) const;

  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace evt::tools
