// Where a trace is to be written, by its name. What is there decides how it is opened, and what was opened is
// compared with what was decided upon: others may change the name meanwhile.
#pragma once

#include <evt/evt.h>
#include <limits.h>

#include "file_id.h"
#include "numbered_files.h"
#include "put_aside.h"

namespace evt {

// Links are not followed. "-" and the names of this process's own descriptors, /dev/stdout and its like, mean these.
class OutputPath {
 public:
  // `pattern` as evt_open has it. The new descriptor; -1, with `error` the reason, if the path cannot be had. With code
  // EVT_OK `error` may have a sentence about what was there.
  int open(const char* pattern, bool append, evt_error* error);
  // The same of the next file of a pattern; one that is there already is left as it is.
  int open_next(NumberedFiles& files, evt_error* error);
  // What was asked for, or what is written instead.
  const char* path() const { return path_; }
  // Programs that a recorded program starts have its environment, and so the name of its trace: that theirs has another
  // name is to be expected.
  bool is_beside_parent() const { return is_beside_parent_; }
  // The new trace has begun, and the file that was there goes; or it has not, and that file is there again. Until then
  // both are there.
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
