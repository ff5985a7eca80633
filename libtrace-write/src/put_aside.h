// A file that makes way for a new trace, under another name until that one has begun: a failed open destroys nothing.
#pragma once

#include <limits.h>

#include "file_id.h"

namespace evt {

class PutAside {
 public:
  PutAside() = default;
  PutAside(const PutAside&) = delete;
  PutAside& operator=(const PutAside&) = delete;

  // Renames the file or link that was found there, so that its path is free; a file that replaced it meanwhile keeps
  // the path. kNo: errno has the reason. One that was put aside before gets its name back.
  enum class Taken { kYes, kNo, kIsAnother };
  Taken take(const char* path, const FileId& found);
  // The new trace has begun: removes the file.
  void remove();
  // Restores the file's name, unless another file has it by now, which has replaced it.
  void give_back();

 private:
  bool make_name(const char* path, int number, bool is_short);

  char path_[PATH_MAX] = "";
  char aside_[PATH_MAX] = "";  // empty: none
};

}  // namespace evt
