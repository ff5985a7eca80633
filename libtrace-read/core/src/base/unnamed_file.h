// A file that has no name before it is complete: what ends the program until then, a kill too, leaves nothing behind.
#pragma once

#include <sys/types.h>

#include <string>

namespace evt {

// Where the file system has no such files, it has a temporary name beside its place meanwhile.
class UnnamedFile {
 public:
  UnnamedFile() = default;
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile() { discard(); }

  // For a place that is known to have room for it, so that nothing is written in vain. The umask takes from `mode`.
  // False, with errno set, when it cannot be made there.
  bool open(const std::string& path, mode_t mode);
  int fd() const { return fd_; }
  // Gives it its name, in the place of whatever has it. False, with errno set, when that cannot be.
  bool take_place();

 private:
  bool open_named(mode_t mode);
  void discard();

  int fd_ = -1;
  std::string path_;
  std::string temporary_;  // empty as long as it has no name
};

}  // namespace evt
