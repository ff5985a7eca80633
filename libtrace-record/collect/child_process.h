// The program that evt run starts, from its start to its end.
#pragma once

#include <evt/status.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "libtrace-record/stops/child_stops.h"

namespace evt::record {

// Bytes that a process read and wrote, with the children that it has waited for, as the system counts them.
struct ProcessIo {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
};

struct ProcessEnd {
  int status = 0;             // as in a shell: the exit status, or 128 + the signal's number
  int signal = 0;             // signal that ended it; 0: none
  std::int64_t began_ns = 0;  // CLOCK_MONOTONIC
  std::int64_t ended_ns = 0;
  rusage usage{};                 // with children that it has waited for
  std::optional<ProcessIo> io{};  // nothing where the system does not count it

  // The value of EVT_FACT_EXIT.
  std::string exit() const { return signal != 0 ? "signal " + std::to_string(signal) : std::to_string(status); }
};

// Used by one thread. From start() on, signals that ask a program to do something are held back, and wait() passes them
// on; those that the terminal sends to all of its programs have reached it already. If the terminal stops the program,
// this process stops too, after it: a shell sees its job stop, and continues both.
class ChildProcess {
 public:
  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  // Called in the process before the program replaces it, with the argument of go().
  using Prepare = std::function<void(char)>;
  // Makes the process, which waits. REQUIRES: this process has no other thread.
  Status start(const std::vector<std::string>& words, const Prepare& prepare);
  pid_t pid() const { return pid_; }
  bool is_stopped() const { return stops_.is_stopped(); }  // as seen by wait()
  // The program begins; an error if it cannot be executed: error_number() has the reason.
  Status go(char given);
  int error_number() const { return error_number_; }
  // Until it has ended. `idle`: called each `every_ms` meanwhile, and once at the end, before the process is gone.
  // `stopped`: with each stop of it, when that is over.
  ProcessEnd wait(const std::function<void()>& idle, int every_ms, const ChildStops::Take& stopped);

 private:
  // What signals asked for since the last look.
  struct Asked {
    bool to_continue = false;
    int to_stop = 0;  // the signal
  };

  [[noreturn]] void become(const std::vector<std::string>& words, const Prepare& prepare) const;
  void take_signals(int every_ms, Asked* asked);
  // False when it has ended.
  bool look(Asked* asked, const ChildStops::Take& stopped);
  static void stop_as(int signal);

  pid_t pid_ = -1;
  int go_ = -1;      // a byte lets it begin
  int failed_ = -1;  // it writes its errno, or closes it when the program begins
  int io_ = -1;      // the system's counts for it
  int error_number_ = 0;
  std::int64_t began_ns_ = 0;
  sigset_t before_{};
  ChildStops stops_;
};

}  // namespace evt::record
