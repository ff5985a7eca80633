// A file that has no name before it is complete: a program that ends before that, even by a kill, leaves nothing
// behind.
#pragma once

#include <sys/types.h>

#include <string>

namespace evt {

// On file systems without such files it has a temporary name in the same folder meanwhile.
class UnnamedFile {
 public:
  UnnamedFile() = default;
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile() { discard(); }

  // For a place that can take it, so that nothing is written in vain. The umask applies to `mode`. Returns false, with
  // errno set, if it cannot be made there.
  bool open(const std::string& path, mode_t mode);
  int fd() const { return fd_; }
  // Gives it its name, replacing any file that has it. Returns false, with errno set, if that fails.
  bool take_place();

 private:
  bool open_named(mode_t mode);
  void discard();

  int fd_ = -1;
  std::string path_;
  std::string temporary_;  // empty while it has no name
};

}  // namespace evt
