// A process that is ended when its time is over.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace evt::testing {

// It leads a process group: what it starts ends with it.
class TimedProcess {
 public:
  struct Start {
    std::string program;             // a path
    std::vector<std::string> words;  // its own name first
    std::vector<std::string> environment = {};
    std::string folder = "";  // "" is the present one
    std::string in = "";      // files of its standard input, output and error
    std::string out = "";
    std::string err = "";
  };

  explicit TimedProcess(Start start);  // throws std::runtime_error
  ~TimedProcess();
  TimedProcess(const TimedProcess&) = delete;
  TimedProcess& operator=(const TimedProcess&) = delete;

  // Waits for its end, at most this long. Returns its exit status, 128 + number if a signal ended it, or 124 if its
  // time was over.
  int end(std::chrono::seconds most);

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<int> wait_until(Clock::time_point limit);
  void wait(int milliseconds) const;

  pid_t id_ = -1;
  int handle_ = -1;  // becomes readable at its end
};

}  // namespace evt::testing
