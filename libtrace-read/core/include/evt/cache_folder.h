// A folder for files that are computed from traces.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>

#pragma GCC visibility push(default)
namespace evt {

// It must belong to the effective user, in a folder of that user or the system, and not be writable by others: else its
// files could be somebody else's. Any thread.
class CacheFolder {
 public:
  // Keeps `what`, a noun for errors, in files whose names have the suffix.
  CacheFolder(std::string path, std::string what, std::string suffix);

  const std::string& path() const { return path_; }
  // Makes the folder if it does not exist, and missing parents inside of the user's folders. An error if that fails, or
  // it is not as described above.
  Status open() const;
  // Like open(), but makes nothing.
  Status check() const;
  // Marks a file that was made or read as the latest used.
  static void note_use(const std::string& file);
  // Removes the least recently used files, until the others take at most `most_bytes`. Never removes `kept`, a path.
  void shrink(std::uint64_t most_bytes, const std::string& kept) const;

 private:
  Status error(const char* why) const;

  std::string path_;
  std::string what_;
  std::string suffix_;
};

}  // namespace evt
#pragma GCC visibility pop
