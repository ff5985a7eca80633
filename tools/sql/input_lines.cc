#include "sql/input_lines.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <utility>

namespace evt::tools {

InputLines::Found InputLines::next(std::string* line) {
  while (true) {
    if (const std::size_t end = buffer_.find('\n'); end != buffer_.npos) {
      line->assign(buffer_, 0, end + 1);
      buffer_.erase(0, end + 1);
      return Found::kLine;
    }
    if (interrupts_ >= 0 && is_interrupted(interrupts_)) return Found::kInterrupt;
    char bytes[4096];
    const ssize_t n = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Found::kError;
    if (n == 0) {
      *line = std::exchange(buffer_, "");
      return line->empty() ? Found::kEnd : Found::kLine;
    }
    buffer_.append(bytes, static_cast<std::size_t>(n));
  }
}

bool InputLines::is_interrupted(int interrupts) {
  pollfd either[] = {{interrupts, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
  while (poll(either, 2, -1) < 0 && errno == EINTR) {
  }
  return (either[0].revents & POLLIN) != 0;
}

}  // namespace evt::tools
