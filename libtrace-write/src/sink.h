// The destination of a trace: a path, the caller's descriptor, or the caller's function.
#pragma once

#include <evt/evt.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "descriptor.h"
#include "error_text.h"
#include "format-spec/src/base/buffer.h"
#include "output_path.h"

namespace evt {

// Not thread-safe: only the thread that holds the writer's lock uses it.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // The file at the path stays until output.keep(); output.give_back() restores it.
  bool open_path(const char* path, bool append, OutputPath& output, evt_error* error);
  // Opens the next of these files, which is new.
  bool open_numbered(NumberedFiles& files, OutputPath& output, evt_error* error);
  void use_descriptor(int fd);
  // Continues in another file, which was just opened at this path.
  void go_on(int fd, const char* path);
  void use_function(evt_sink function, void* context);

  // Writes all bytes of at most kMaxParts parts, or fails with the reason in `error`; on a regular file it then removes
  // what it had written of them, so that the file ends with a whole block.
  static constexpr int kMaxParts = 4;
  bool write(const iovec* parts, int count, evt_error* error);
  // From now on a write fails if the reader of anything but a regular file takes nothing for so long, 0: at once;
  // UINT64_MAX: never. Any thread, also while another one writes.
  void limit_waiting(std::uint64_t ms);
  // True if the last write failed for want of space, which may become free again.
  bool may_work_later() const { return may_work_later_; }
  // The absolute path of the file that was opened, also after go_on(); empty if unknown. Any thread.
  const char* path() const { return path_; }
  // As it was opened; what it goes on in is a regular file, too. Any thread.
  bool is_regular() const { return is_regular_; }
  int descriptor() const { return out_.number(); }
  // For a regular file.
  const FileId& id() const { return out_.id(); }
  bool close(evt_error* error);

  // In a fork child: releases the file and its lock, which are the parent's.
  void detach() { out_.close(); }

  // True if this thread is in the function of some sink: it would deadlock if it waited for the flusher.
  static bool calls_function();

 private:
  bool own(int fd, const OutputPath& output);
  int write_descriptor(const iovec* parts, int count);  // 0, an errno, or one of sink.cc's own
  ssize_t write_some(int fd, const iovec* parts, int count);
  bool is_given_up(std::uint64_t stalled_since_ns) const;
  int write_function(const iovec* parts, int count);
  void take_back(std::size_t done);

  Descriptor out_;
  bool is_regular_ = false;
  bool may_work_later_ = false;
  bool must_poll_ = false;                  // before each write, which would wait
  std::uint64_t max_wait_ms_ = UINT64_MAX;  // atomic
  std::uint64_t limited_at_ns_ = 0;         // atomic
  Buffer whole_;
  evt_sink function_ = nullptr;
  void* context_ = nullptr;
  char name_[kPathShown] = "the sink";
  char path_[4096] = "";
};

}  // namespace evt
