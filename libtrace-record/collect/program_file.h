// What the file of a program tells about how much of it can be recorded.
#pragma once

#include <string>

namespace evt::record {

struct ProgramFile {
  std::string path;             // empty: it was not found
  bool is_static = false;       // no loader puts a library into it
  bool is_go = false;           // it calls the system itself
  bool has_other_libc = false;  // another C library than this one: musl
  bool has_sanitizer =
      false;  // for addresses, threads, memory or leaks: it takes the recorder's memory and threads for the program's
  bool gains_rights = false;  // setuid, setgid: the loader ignores LD_PRELOAD
  bool is_other_machine = false;

  // Calls cannot be recorded, for this reason: a sentence, or empty.
  std::string obstacle() const;
  // The program cannot sample itself, for this reason: the beginning of a sentence, or empty.
  std::string samples_obstacle() const;
};

// `word`: as the first word of a command line, looked for in PATH if it has no slash. A script is its interpreter.
ProgramFile look_at_program(const std::string& word);

}  // namespace evt::record
