// What a name or a descriptor leads to, so that a later look can tell whether it still does.
#pragma once

#include <sys/stat.h>

namespace evt {

struct FileId {
  dev_t device = 0;
  ino_t inode = 0;

  friend bool operator==(const FileId& a, const FileId& b) { return a.device == b.device && a.inode == b.inode; }
};

inline FileId id_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

// Of the name itself, not of what a link leads to. False when nothing has it.
inline bool name_leads_to(const char* path, const FileId& id) {
  struct stat status;
  return lstat(path, &status) == 0 && id_of(status) == id;
}

}  // namespace evt
