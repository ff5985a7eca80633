// A descriptor that the library keeps while the program runs. A daemon closes all that it did not open itself, and the
// system reuses their numbers: a number is used only while it refers to the original file.
#pragma once

#include "file_id.h"

namespace evt {

// Used by one thread at a time, except number(), which any thread may call; is_intact(), too, once it stays the same.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // Takes over a descriptor that was just opened, under a high number if there is one: programs close, and open, low
  // ones.
  void own(int fd);
  // Uses one that stays the caller's.
  void borrow(int fd);

  // -1: none
  int number() const { return __atomic_load_n(&number_, __ATOMIC_ACQUIRE); }
  // False if the number was not open when it was given.
  bool was_open() const { return was_open_; }
  // The file that it referred to then.
  const FileId& id() const { return id_; }
  bool is_regular() const { return is_regular_; }
  // True if it still refers to that file.
  bool is_intact() const;

  // Takes another descriptor of the same file in place of one that the program closed.
  void replace_by(int fd);
  // Closes an owned one, unless the program did; 0, or an errno.
  int close();

 private:
  int number_ = -1;
  bool owned_ = false;
  bool was_open_ = false;
  bool is_regular_ = false;
  FileId id_;
};

}  // namespace evt
