// The files of one pattern, such as app.%n.evt, in which %n is a number of six digits.
#pragma once

#include <evt/evt.h>
#include <limits.h>

#include <cstdint>

#include "file_id.h"
#include "format-spec/src/base/buffer.h"

namespace evt {

// Not thread-safe. next_path() and delete_oldest() do not allocate.
class NumberedFiles {
 public:
  NumberedFiles() = default;
  NumberedFiles(const NumberedFiles&) = delete;
  NumberedFiles& operator=(const NumberedFiles&) = delete;

  // Whether a pattern, as evt_open has it, has %n.
  static bool is_numbered(const char* pattern);

  // Looks which number is the last. False, with `error` the reason, where the pattern cannot name such files.
  // REQUIRES: is_numbered(pattern).
  bool open(const char* pattern, evt_error* error);
  // The absolute path of the file with the next number, valid until the next call. Another program may take that number
  // meanwhile: who makes the file calls again then.
  const char* next_path();

  // Lists the earlier files that may be deleted: regular files of this user that begin with a session of the program of
  // `session_id`, whose first file is at `own_path`, and that no living writer has. Once, after open().
  void list(const char* own_path, std::uint64_t session_id);
  // A file of this session that is complete.
  void add(const char* path);
  // Bytes of all files that may be deleted.
  std::uint64_t bytes() const { return bytes_; }
  bool empty() const { return next_ == files_.size() / sizeof(File); }
  // When the oldest was last written, since 1970. REQUIRES: !empty().
  std::int64_t oldest_utc_ns() const { return oldest().written_utc_ns; }
  // Takes it off the list, and deletes it if it is still there; false when that failed, and errno is why.
  // REQUIRES: !empty().
  bool delete_oldest();

 private:
  struct File {
    std::uint64_t number;
    std::uint64_t size;
    std::int64_t written_utc_ns;
    std::uint64_t session_id;
    FileId id;
    bool is_locked;
  };

  template <typename Visit>
  void for_each_name(Visit visit) const;
  bool number_in(const char* name, std::uint64_t* number) const;
  const char* path_of(std::uint64_t number);
  bool look_at(const char* path, File* file, char* program) const;
  void forget_living();
  void forget_deleted();
  const File& oldest() const { return reinterpret_cast<const File*>(files_.data())[next_]; }
  static int by_number(const void* a, const void* b);

  char folder_[PATH_MAX] = "";  // without a link in it
  char front_[NAME_MAX + 1] = "";
  char back_[NAME_MAX + 1] = "";
  char path_[PATH_MAX] = "";
  std::uint64_t last_ = 0;
  bool has_last_ = false;
  Buffer files_;          // of File, the oldest first
  std::size_t next_ = 0;  // the first of them that is still there
  std::uint64_t bytes_ = 0;
};

}  // namespace evt
