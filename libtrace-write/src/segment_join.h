// Makes one file of a session's segments: all of them, one after another (FORMAT.md, section 6.7).
#pragma once

#include <limits.h>

#include <cstdint>

#include "file_id.h"

namespace evt {

// The file has no name until it is complete, where the file system allows that, and is locked while this lives. errno
// has the reason of what returns false.
class SegmentJoin {
 public:
  // In front of the extension, while it has a name of its own: a shell pattern.
  static constexpr char kOwnNames[] = "*-*.new";

  SegmentJoin() = default;
  SegmentJoin(const SegmentJoin&) = delete;
  SegmentJoin& operator=(const SegmentJoin&) = delete;
  ~SegmentJoin();

  // Begins it in the folder of this path, which is absolute or stays valid.
  bool begin(const char* path);
  bool add(int descriptor);
  bool add(const char* path);
  // Gives it the name of the first segment, which it replaces, and which is not given to anything else meanwhile.
  // Returns false if there is another file. A program that is killed at this very moment leaves a whole copy,
  // app.PID-0.new.evt, which the next one that opens the path removes: no call links a file without a name over
  // another.
  bool take_place(const FileId& first);

 private:
  bool take_name();

  char path_[PATH_MAX] = "";
  char own_name_[PATH_MAX] = "";  // until it has the other one; empty: none
  int fd_ = -1;
};

}  // namespace evt
