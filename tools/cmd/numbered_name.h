// Names of files that a command makes again and again: %n is a number of six digits, %p a process, %t the time.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>

namespace evt::tools {

// The name for one file. A number is one more than the last that is there, and is taken by an empty file, which is
// removed again if nothing replaces it: no two commands have the same.
class NumberedName {
 public:
  explicit NumberedName(std::string pattern) : pattern_(std::move(pattern)) {}
  NumberedName(const NumberedName&) = delete;
  NumberedName& operator=(const NumberedName&) = delete;
  ~NumberedName();

  // Errors: kInvalid: %n is there twice, or in the name of a folder; kIo. `pid` 0: it is not known.
  Result<std::string> take(std::uint64_t pid);
  // The file has its content.
  void keep() { taken_.clear(); }

 private:
  std::string expanded(const std::string& pattern, std::uint64_t pid) const;

  std::string pattern_;
  std::string taken_;  // empty: none
};

}  // namespace evt::tools
