// How far a long command has come: a bar on standard error, if that is a terminal and no pager has it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace evt::tools {

class Progress {
 public:
  // On standard error, if that is a terminal.
  Progress();
  // Not shown.
  explicit Progress(std::nullptr_t) : is_wanted_(false) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void show(std::uint64_t done, std::uint64_t total);
  // Takes the bar away, before something else is printed.
  void clear();

 private:
  bool is_wanted_;
  int shown_ = -1;  // percent
};

}  // namespace evt::tools
