// evt check --recover.
#pragma once

#include <evt/status.h>

#include <cstddef>
#include <span>
#include <string>

#include "base/report.h"

namespace evt::tools {

// The file that a recovery is about, opened once: what is read, written and read again is this file, whatever takes its
// place at its path meanwhile.
class RecoverableFile {
 public:
  // A regular file, and no symbolic link. One that may not be written opens too: there may be nothing to write.
  static Result<RecoverableFile> open(const std::string& path);
  RecoverableFile(RecoverableFile&& other) noexcept;
  RecoverableFile& operator=(RecoverableFile&&) = delete;
  ~RecoverableFile();

  int descriptor() const { return descriptor_; }
  const std::string& name() const { return name_; }
  // Keeps writers and other recoveries away until it is unlocked. False while one of them has the file.
  bool lock();
  void unlock();
  // Puts the bytes behind the first `size` of the file, in the place of all that is there, and waits until they are on
  // the disk. What cannot be written whole is taken back.
  Status replace_end(std::uint64_t size, std::span<const std::byte> bytes);

 private:
  RecoverableFile(int descriptor, std::string name, int write_error)
      : descriptor_(descriptor), name_(std::move(name)), write_error_(write_error) {}

  int descriptor_;
  std::string name_;
  int write_error_;  // why it may not be written; 0: it may
};

// Puts what the ring of a killed program still holds into its trace, and removes the ring when the trace, read again,
// has all that was to be seen in both. kExitOk when there is nothing left to recover.
int recover(RecoverableFile& file, const Report& report);
// The same of one ring, by its name or path, that may belong to another file, of which this is a copy. It stays.
int recover_from(const std::string& ring, RecoverableFile& file, const Report& report);

}  // namespace evt::tools
