// Where queries put what has no room in memory.
#pragma once

#include <string>

namespace evt::tools {

// A folder below the cache's, for the process alone; removed with all that is in it when this ends. What a process left
// that was killed is removed when the next one begins: a folder is in use while its process holds a lock on it.
class SpillFolder {
 public:
  SpillFolder();
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;
  ~SpillFolder();

  // Empty: there is nowhere.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;  // the folder
};

}  // namespace evt::tools
