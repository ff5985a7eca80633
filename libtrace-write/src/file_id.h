// Identifies the file behind a name or a descriptor, so that a later look can tell whether it changed.
#pragma once

#include <sys/stat.h>

namespace evt {

struct FileId {
  dev_t device = 0;
  ino_t inode = 0;

  friend bool operator==(const FileId& a, const FileId& b) { return a.device == b.device && a.inode == b.inode; }
};

inline FileId id_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

// Compares the name itself, not the target of a link. False if there is no such name.
inline bool name_leads_to(const char* path, const FileId& id) {
  struct stat status;
  return lstat(path, &status) == 0 && id_of(status) == id;
}

}  // namespace evt
