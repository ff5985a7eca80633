// The file of the lines that were typed at a prompt, oldest first.
#pragma once

#include <evt/status.h>

#include <string>
#include <vector>

namespace evt::tools {

// Several programs may have the same file: each line is added to it when it is typed, so none of them takes away what
// another has added, and a program that is killed keeps its lines.
class LineHistory {
 public:
  static constexpr std::size_t kMaxLines = 1000;

  // Empty path: no file.
  explicit LineHistory(std::string path) : path_(std::move(path)) {}

  // The latest, kMaxLines at most. A file with many more is written anew with these.
  std::vector<std::string> lines() const;
  // Adds a line without its end. The file is made for the user alone.
  void add(const std::string& line);
  // Whether all that was added is in the file. Errors: kIo, of the first that is not.
  const Status& status() const { return status_; }

 private:
  std::string path_;
  Status status_;
};

}  // namespace evt::tools
