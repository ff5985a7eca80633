// A folder in which files are kept that were computed of traces.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>

#pragma GCC visibility push(default)
namespace evt {

// It must be the effective user's, in a folder of that user or the system, and no other user may write there: else what
// is found there could be somebody else's. Any thread.
class CacheFolder {
 public:
  // `what` is kept there, as a word for errors, in files whose names have the suffix.
  CacheFolder(std::string path, std::string what, std::string suffix);

  const std::string& path() const { return path_; }
  // Makes the folder if it is not there, and folders down to it in such as are the user's. An error when it cannot be
  // had, or is not as above.
  Status open() const;
  // The same without making anything.
  Status check() const;
  // A file was made or read: it is the latest used.
  static void note_use(const std::string& file);
  // Removes the files that were used longest ago, until the others take `most_bytes` at most. `kept` stays, a path.
  void shrink(std::uint64_t most_bytes, const std::string& kept) const;

 private:
  Status error(const char* why) const;

  std::string path_;
  std::string what_;
  std::string suffix_;
};

}  // namespace evt
#pragma GCC visibility pop
