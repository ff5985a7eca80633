// Where a trace goes: a path, the caller's descriptor, or the caller's function.
#pragma once

#include <evt/evt.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "descriptor.h"
#include "error_text.h"
#include "format-spec/src/base/buffer.h"

namespace evt {

// Not thread-safe: only the thread that holds the writer's lock uses it.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  bool open_path(const char* path, bool append, evt_error* error);
  void use_descriptor(int fd);
  void use_function(evt_sink function, void* context);

  // Writes all the bytes of at most kMaxParts parts, or fails; then `error` names the reason, and on a regular file
  // what had been written of them is taken back, so that the file ends with a whole block.
  static constexpr int kMaxParts = 4;
  bool write(const iovec* parts, int count, evt_error* error);
  // Whether the last write failed for want of space, which may be had again.
  bool may_work_later() const { return may_work_later_; }
  // Absolute; empty when it is not known.
  const char* path() const { return path_; }
  bool is_regular() const { return S_ISREG(out_.mode()); }
  // Of the file, if it is one.
  const FileId& id() const { return out_.id(); }
  bool close(evt_error* error);

  // In a fork child: lets go of the file and its lock, which are the parent's.
  void detach() { out_.close(); }

  // Whether this thread is in the function of some sink, which would wait for itself if it waited for the flusher.
  static bool calls_function();

 private:
  int write_descriptor(const iovec* parts, int count);  // 0, an errno, or kClosed
  int write_function(const iovec* parts, int count);
  void take_back(std::size_t done);

  Descriptor out_;
  bool may_work_later_ = false;
  Buffer whole_;
  evt_sink function_ = nullptr;
  void* context_ = nullptr;
  char name_[kPathShown] = "the sink";
  char path_[4096] = "";
};

}  // namespace evt
