// Where a trace goes: a path, the caller's descriptor, or the caller's function.
#pragma once

#include <evt/evt.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "format-spec/src/buffer.h"

namespace evt {

void set_error(evt_error* error, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Not thread-safe: whoever holds the writer's lock uses it.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  bool open_path(const char* path, bool append, evt_error* error);
  void use_descriptor(int fd);
  void use_function(evt_sink function, void* context);

  // Writes all the bytes of at most kMostParts parts, or fails; then `error` names the reason, and on a regular file
  // what had been written of them is taken back, so that the file ends with a whole block.
  static constexpr int kMostParts = 4;
  bool write(const iovec* parts, int count, evt_error* error);
  // Whether the last write failed for want of space, which may be had again.
  bool may_work_later() const { return may_work_later_; }
  // Absolute; empty when it is not known.
  const char* path() const { return path_; }
  bool is_regular() const { return regular_; }
  dev_t device() const { return device_; }
  ino_t inode() const { return inode_; }
  bool close(evt_error* error);

  // In a fork child: lets go of the file and its lock, which are the parent's.
  void let_go();

  // Whether this thread is in the function of some sink, which would wait for itself if it waited for the flusher.
  static bool calls_function();

 private:
  enum class Opened { kYes, kNo, kAgain };
  Opened try_open(char* path, std::size_t size, bool append, evt_error* error);
  bool holds(const char* path) const;
  bool cannot_write(const char* why, evt_error* error) const;
  int write_descriptor(const iovec* parts, int count);  // 0, or an errno
  int write_function(const iovec* parts, int count);
  void take_back(std::size_t done);
  void learn_what_it_is();

  int fd_ = -1;
  bool owned_ = false;
  bool regular_ = false;
  bool may_work_later_ = false;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  Buffer whole_;
  evt_sink function_ = nullptr;
  void* context_ = nullptr;
  char name_[160] = "the sink";
  char path_[4096] = "";
};

}  // namespace evt
