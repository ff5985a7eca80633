// Rows of text for people, in columns.
#pragma once

#include <evt/export/text_buffer.h>

#include <string>
#include <utility>
#include <vector>

namespace evt::tools {

// Each column is as wide as its widest cell; the last one runs on.
class AlignedRows {
 public:
  // `right`: which columns end at the same place instead of beginning there.
  AlignedRows(std::vector<std::string> head, std::vector<bool> right) : right_(std::move(right)) {
    rows_.push_back(std::move(head));
  }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void append_to(TextBuffer& out) const;

 private:
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace evt::tools
