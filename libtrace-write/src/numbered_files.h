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

  // True if a pattern of evt_open contains %n.
  static bool is_numbered(const char* pattern);

  // Finds the last number. Returns false, with the reason in `error`, if the pattern cannot name such files. REQUIRES:
  // is_numbered(pattern).
  bool open(const char* pattern, evt_error* error);
  // Files beside a ring instead, FORMAT.md section 12: from number 1 on, with the name of the ring in front. False if
  // the path is too long.
  bool open_beside(const char* ring_path);
  const char* folder() const { return folder_; }

  // The absolute path of the file with the next number, valid until the next call. Another program may take that number
  // meanwhile: in that case call it again.
  const char* next_path();
  // The numbers of all such files that are there, in order, as std::uint64_t; false without memory. Any thread.
  bool append_numbers(Buffer& numbers) const;
  // The path of one of them; false if it is too long. Any thread.
  bool path_of(std::uint64_t number, char* path, std::size_t size) const;
  // Where the path of one of them has its number, and how many digits.
  void find_number(const char* path, std::uint32_t* at, std::uint32_t* digits) const;
  // The number that it had, and its path again.
  std::uint64_t last() const { return last_; }
  const char* current_path() { return path_of(last_); }

  // Lists the earlier files that may be deleted: regular files of this user that begin with a session of the program of
  // `session_id`, whose first file is at `own_path`, and that belong to no living writer. Called once, after open().
  void list(const char* own_path, std::uint64_t session_id);
  // Lists the files of this session instead: regular ones of this user, mode 0600.
  void list_session(std::uint64_t session_id);
  // Adds a complete file of this session.
  void add(std::uint64_t number);
  // Those that were listed or added, and not deleted, the oldest first. A path is valid until the next call.
  std::size_t count() const { return files_.size() / sizeof(File) - next_; }
  const char* path(std::size_t i) { return path_of(file(next_ + i).number); }
  std::uint64_t first_block_no(std::size_t i) const { return file(next_ + i).first_block_no; }
  bool is_locked(std::size_t i) const { return file(next_ + i).is_locked; }
  // When it was last written, since 1970.
  std::int64_t written_utc_ns(std::size_t i) const { return file(next_ + i).written_utc_ns; }
  // Bytes of all files that may be deleted.
  std::uint64_t bytes() const { return bytes_; }
  bool empty() const { return next_ == files_.size() / sizeof(File); }
  // True if the oldest was written longer ago: by a clock that does not jump if this session wrote it. REQUIRES:
  // !empty().
  bool is_oldest_older_than(std::uint64_t ns) const;
  // Takes it off the list, and deletes it if it still exists; false, with the reason in errno, if that failed.
  // REQUIRES: !empty().
  bool delete_oldest();

 private:
  struct File {
    std::uint64_t number;
    std::uint64_t size;
    std::int64_t written_utc_ns;
    std::uint64_t added_at_ns;  // CLOCK_MONOTONIC; 0: it was listed
    std::uint64_t first_block_no;
    std::uint64_t session_id;
    FileId id;
    mode_t mode;
    bool is_locked;
  };

  template <typename Visit>
  void for_each_name(Visit visit) const;
  const char* path_of(std::uint64_t number);
  bool look_at(const char* path, File* file, char* program) const;
  static bool is_empty(const char* path, File* file);
  void forget_living();
  void forget_deleted();
  const File& file(std::size_t i) const { return reinterpret_cast<const File*>(files_.data())[i]; }
  const File& oldest() const { return file(next_); }
  static int by_number(const void* a, const void* b);

  char folder_[PATH_MAX] = "";  // contains no link
  char front_[NAME_MAX + 1] = "";
  char back_[NAME_MAX + 1] = "";
  char path_[PATH_MAX] = "";
  std::uint64_t last_ = 0;
  bool has_last_ = false;
  Buffer files_;          // File elements, the oldest first
  std::size_t next_ = 0;  // the first of them that still exists
  std::uint64_t bytes_ = 0;
};

}  // namespace evt
