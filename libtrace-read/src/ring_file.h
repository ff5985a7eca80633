// Rings of writers on this machine: what they hold of a trace that its file lacks. FORMAT.md, section 12.
#pragma once

#include <memory>
#include <string>

#include "byte_source.h"
#include "format-spec/src/ring_recovery.h"

namespace evt {

// One that was found under the name that a SESSION block gives. Holds the file open.
class RingFile {
 public:
  // Null when there is no such ring here: in the folder of rings, a regular file of this user, of this session.
  static std::unique_ptr<RingFile> find(const std::string& name, std::uint64_t session_id);
  ~RingFile();
  RingFile(const RingFile&) = delete;
  RingFile& operator=(const RingFile&) = delete;

  // The writer that holds the ring was alive when it was found.
  bool live() const { return live_; }
  const std::string& path() const { return path_; }
  // The trace that its writer wrote; empty if that file is gone, or was none.
  std::string trace() const;
  // Copied when the ring was found; appends blocks from it later.
  RingRecovery& recovery() { return recovery_; }

 private:
  RingFile(int fd, std::string path);
  static std::size_t read(void* self, std::uint64_t offset, void* out, std::size_t size);

  int fd_;
  std::string path_;
  bool live_ = false;
  RingRecovery recovery_;
};

}  // namespace evt
