// Rings of writers on this machine: what they hold of a trace that its file lacks. FORMAT.md, section 12.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "format-spec/src/ring/ring_recovery.h"
#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// One that was found under the name that a SESSION block gives. Holds the file open.
class RingFile {
 public:
  // Null when there is no such ring here: in one of the folders of rings, of which that of the trace is the last, a
  // regular file of mode 0600, of this session and of this user; for root, of the trace's.
  static std::unique_ptr<RingFile> find(const std::string& name, std::uint64_t session_id, const std::string& trace,
                                        const FileIdentity& file);
  // The same of a ring that is named by its path.
  static std::unique_ptr<RingFile> find_at(const std::string& path, std::uint64_t session_id, const FileIdentity& file);
  // One at a path that is no link, a regular file of mode 0600; else the reason. recovery() was not opened. It has to
  // be of this user or, for root, of `owner`.
  static Result<std::unique_ptr<RingFile>> open(const std::string& path, std::uint32_t owner);
  ~RingFile();
  RingFile(const RingFile&) = delete;
  RingFile& operator=(const RingFile&) = delete;

  // The file that its writer wrote to, if it was a regular one. A name and a session are soon copied into another file:
  // only the file that the ring names may have what the ring holds.
  std::optional<FileIdentity> output() const;
  bool belongs_to(const FileIdentity& file) const { return output() == file; }
  // The path of the file that its writer wrote to; empty if that is not known, or another file is there now.
  std::string trace() const;
  // Copies bytes of it; how many there were.
  std::size_t read_at(std::uint64_t offset, void* out, std::size_t size) const;
  // Bytes of memory, or of the disk, that it takes.
  std::uint64_t size() const;
  // Removes it; false, and errno is why, when that was not possible or it has no name any more. REQUIRES: not live().
  bool remove();
  // The writer that holds the ring was alive when it was found.
  bool live() const { return live_; }
  const std::string& path() const { return path_; }
  // Until this is called the ring of a dead writer is locked, which shows others that its writer is dead.
  void unlock();
  // Copies what the ring has, and appends blocks of it later.
  RingRecovery& recovery() { return recovery_; }
  const RingRecovery& recovery() const { return recovery_; }

 private:
  RingFile(int fd, std::string path);
  bool has_a_name() const;
  static bool is_of(std::uint32_t user, std::uint32_t owner);
  static std::size_t read(void* self, std::uint64_t offset, void* out, std::size_t size);

  int fd_;
  std::string path_;
  bool live_ = false;
  RingRecovery recovery_;
};

}  // namespace evt
