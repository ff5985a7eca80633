// How tables look on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace evt::tools {

// By itself that of a file, which has room for everything.
struct TableLook {
  bool has_bold_head = false;
  std::size_t columns = SIZE_MAX;  // texts are shortened until a row fits, or they have few characters left
  bool* is_shortened = nullptr;    // becomes true if one was; may be null
  // Columns are left out, too, the least needed first, but none of these names; which they are, each once.
  std::vector<std::string> keeps{};
  std::vector<std::string>* left_out = nullptr;  // null: none is
};

}  // namespace evt::tools
