#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace evt::tools {
namespace {

// The temporary file in the making, for the signal handler that removes it.
char unfinished[4096];

void remove_unfinished(int signal) {
  if (unfinished[0] != '\0') unlink(unfinished);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void guard(const std::string& temporary) {
  if (temporary.size() >= sizeof unfinished) return;
  memcpy(unfinished, temporary.c_str(), temporary.size() + 1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, remove_unfinished);
}

Status cannot_write(const std::string& what) { return {Code::kIo, "cannot write " + what + ": " + strerror(errno)}; }

}  // namespace

bool StandardOutput::flush() {
  std::string_view rest = text_;
  while (!rest.empty() && status_.ok()) {
    const ssize_t n = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (n > 0) {
      rest.remove_prefix(static_cast<std::size_t>(n));
    } else if (n == 0 || errno != EINTR) {
      status_ = cannot_write("standard output");
    }
  }
  text_.clear();
  return status_.ok();
}

Result<FileOutput> FileOutput::open(const std::string& path) {
  if (path == "-") {
    if (isatty(STDOUT_FILENO) != 0) {
      return Status(Code::kInvalid, "will not write a binary trace onto a terminal: name a file with -o");
    }
    return FileOutput(STDOUT_FILENO, "standard output", "");
  }
  struct stat existing;
  const bool exists = stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) {
    return Status(Code::kIo, "cannot write " + path + ": it is a directory");
  }
  if (exists && !S_ISREG(existing.st_mode)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return cannot_write(path);
    return FileOutput(fd, path, "");
  }
  std::string temporary = path + ".XXXXXX";
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return cannot_write(path);
  guard(temporary);
  return FileOutput(fd, path, temporary);
}

FileOutput::FileOutput(FileOutput&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")) {}

FileOutput::~FileOutput() {
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    unfinished[0] = '\0';
  }
  if (descriptor_ > STDOUT_FILENO) ::close(descriptor_);
}

Status FileOutput::complete() {
  if (temporary_.empty()) return {};
  // 0600 while it was written; now what the user's umask would have given.
  const mode_t mask = umask(0);
  umask(mask);
  const bool complete = fchmod(descriptor_, 0666 & ~mask) == 0 && ::close(std::exchange(descriptor_, -1)) == 0 &&
                        rename(temporary_.c_str(), path_.c_str()) == 0;
  if (!complete) return cannot_write(path_);
  temporary_.clear();
  unfinished[0] = '\0';
  return {};
}

}  // namespace evt::tools
