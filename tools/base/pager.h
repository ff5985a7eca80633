// A pager between standard output and the terminal.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "report.h"

namespace evt::tools {

// Its command: EVT_PAGER, else PAGER, else less. As words, run without a shell if it has nothing that a shell is needed
// for; empty if none is wanted.
std::vector<std::string> pager_words();

// While it lives, standard output goes through a pager, and so does standard error if that is a terminal. One at a
// time, and the only thing that handles signals meanwhile. Quitting the pager early ends this program quietly, with
// status 0.
class Pager {
 public:
  // Does nothing if standard output is no terminal, or none is wanted, or it cannot be started. That a shell cannot run
  // it is known only when the shell has ended, and becomes an error of `report`.
  explicit Pager(const Report& report);
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;
  ~Pager() { finish(); }

  // Waits until the user leaves the pager; what C's streams hold goes there first. False: a shell could not run it,
  // which is reported. Does nothing when it is called again.
  bool finish();

 private:
  bool start(const std::vector<std::string>& words);
  // Ends the pipe on standard error, as the caller has on standard output: the pager has all when its last descriptor
  // is closed. Returns what finish() does. For signal handlers, too.
  bool wait();
  static void end_quietly(int);
  static void end_behind_pager(int signal);

  static Pager* volatile running_;  // for the signal handlers

  const std::string failure_;  // the line for standard error
  volatile pid_t process_ = 0;
  volatile int output_ = -1;    // standard output as it was
  volatile int messages_ = -1;  // standard error as it was, if it is led there
};

}  // namespace evt::tools
