// Lines of standard input.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace evt::tools
