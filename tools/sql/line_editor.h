// Lines that a user types on a terminal, with keys to edit them and to find those that were typed before.
#pragma once

#include <memory>
#include <string>

#include "sql/input_lines.h"
#include "sql/line_history.h"

namespace evt::tools {

// By libedit, which is loaded when a shell begins: it brings libraries of which every start of the program would pay
// for. One at a time in a program, as the library has one state.
class LineEditor {
 public:
  // Null where the library is not installed, or the terminal has no cursor that moves. `history`: the path of the file
  // with the lines of earlier shells; empty: there is none.
  static std::unique_ptr<LineEditor> load(const std::string& history);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // As InputLines::next(), behind the prompt. The terminal is as before when it returns.
  InputLines::Found next(const char* prompt, int interrupts, std::string* line);
  const LineHistory& history() const { return history_; }

 private:
  struct Library;

  LineEditor(const Library& library, std::string history);

  const Library& library_;
  LineHistory history_;
  std::string last_;  // line
};

}  // namespace evt::tools
