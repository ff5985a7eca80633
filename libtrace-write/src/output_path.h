// Opens the path of a trace. What exists there decides how it is opened, and the opened file is compared with that
// decision: others may change the name meanwhile.
#pragma once

#include <evt/evt.h>
#include <limits.h>

#include "file_id.h"
#include "numbered_files.h"
#include "put_aside.h"

namespace evt {

// Links are not followed. "-", /dev/stdout and the like mean this process's own descriptors.
class OutputPath {
 public:
  // `pattern` is that of evt_open. Returns the new descriptor, or -1 with the reason in `error`. With code EVT_OK
  // `error` may have a sentence about what was at the path.
  int open(const char* pattern, bool append, evt_error* error);
  // As above for the next file of a pattern; never replaces an existing file.
  int open_next(NumberedFiles& files, evt_error* error);
  // The path that was asked for, or the one that is written instead.
  const char* path() const { return path_; }
  // Programs that a recorded program starts inherit its environment, and so the name of its trace: it is expected that
  // theirs gets another name.
  bool is_beside_parent() const { return is_beside_parent_; }
  // Either the new trace has begun, and the old file is removed; or it has not, and that file is restored. Until then
  // both exist.
  void keep() { aside_.remove(); }
  void give_back(const FileId& made);

 private:
  enum class Opened { kYes, kNo, kAgain };
  Opened try_open(bool append, evt_error* error);
  Opened make_new(bool append, evt_error* error);
  Opened open_existing(const FileId& found, int how, evt_error* error);
  Opened take_place_of_link(const FileId& link, bool append, evt_error* error);
  Opened duplicate(int descriptor, evt_error* error);
  bool holds_file();
  void detach();
  Opened cannot_write(const char* why, evt_error* error) const;

  char path_[PATH_MAX] = "";
  int fd_ = -1;
  bool is_new_ = false;
  bool is_beside_parent_ = false;
  PutAside aside_;
};

}  // namespace evt
