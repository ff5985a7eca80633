// Lines of standard input: of a file, or typed at a prompt, where they can be edited and are kept.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace evt::tools {

class InputLines {
 public:
  // `interrupts`: a descriptor that becomes readable with one; -1: there are none.
  explicit InputLines(int interrupts = -1) : interrupts_(interrupts) {}

  enum class Found : std::uint8_t { kLine, kInterrupt, kEnd, kError };

  // The next line, with its end; kError: see errno.
  Found next(std::string* line);

  // Waits until standard input has something, or `interrupts`; whether that has.
  static bool is_interrupted(int interrupts);

 private:
  int interrupts_;
  std::string buffer_;
};

// The file of the lines that were typed at a prompt, oldest first. Several programs may have the same file: each line
// is added to it when it is typed, so none of them takes away what another has added, and a program that is killed
// keeps its lines.
class LineHistory {
 public:
  static constexpr std::size_t kMaxLines = 1000;

  // Empty path: no file.
  explicit LineHistory(std::string path) : path_(std::move(path)) {}

  // The latest, kMaxLines at most. A file with many more is written anew with these.
  std::vector<std::string> lines() const;
  // Adds a line without its end. The file is made for the user alone.
  void add(const std::string& line);
  // Whether all that was added is in the file. Errors: kIo, of the first that is not.
  const Status& status() const { return status_; }

 private:
  std::string path_;
  Status status_;
};

// Lines that a user types on a terminal, with keys to edit them and to find those that were typed before. By libedit,
// which is loaded when a shell begins: it brings libraries of which every start of the program would pay for. One at a
// time in a program, as the library has one state.
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
