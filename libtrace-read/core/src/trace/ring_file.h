// Rings of writers on this machine: parts of a trace that its file lacks. FORMAT.md, section 12.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "format-spec/src/ring/ring_recovery.h"
#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// A ring that was found under the name that a SESSION block gives. Holds the file open.
class RingFile {
 public:
  // Returns null if there is no such ring: a regular file of mode 0600 in one of the folders of rings, the last of
  // which is the trace's, of this session and of this user; for root, of the trace's user.
  static std::unique_ptr<RingFile> find(const std::string& name, std::uint64_t session_id, const std::string& trace,
                                        const FileIdentity& file);
  // Like find(), for a ring that is named by its path.
  static std::unique_ptr<RingFile> find_at(const std::string& path, std::uint64_t session_id, const FileIdentity& file);
  // Opens one at a path that is not a link, a regular file of mode 0600; else returns the reason. recovery() is not
  // opened. It must belong to this user or, for root, to `owner`.
  static Result<std::unique_ptr<RingFile>> open(const std::string& path, std::uint32_t owner);
  ~RingFile();
  RingFile(const RingFile&) = delete;
  RingFile& operator=(const RingFile&) = delete;

  // The file that its writer wrote to, if it was a regular one. A name and a session are easily copied into another
  // file: only the file that the ring names may get the ring's contents.
  std::optional<FileIdentity> output() const;
  bool belongs_to(const FileIdentity& file) const { return output() == file; }
  // Where that file was; empty if unknown.
  std::string output_path() const { return ring::path_of(recovery_.header()); }
  // The path of the file that its writer wrote to; empty if unknown, or if another file is there now.
  std::string trace() const;
  // Copies its bytes; returns how many there were.
  std::size_t read_at(std::uint64_t offset, void* out, std::size_t size) const;
  // Bytes of memory, or of the disk, that it takes.
  std::uint64_t size() const;
  // Removes it; false, with the reason in errno, if that was impossible or it has no name any more. REQUIRES: not
  // live().
  bool remove();
  // The writer that holds the ring was alive when it was found.
  bool live() const { return live_; }
  const std::string& path() const { return path_; }
  // Until this is called the ring of a dead writer is locked, which tells others that its writer is dead.
  void unlock();
  // Copies the ring's contents, and appends blocks of them later.
  RingRecovery& recovery() { return recovery_; }
  const RingRecovery& recovery() const { return recovery_; }

 private:
  RingFile(int fd, std::string path);
  bool has_a_name() const;
  static std::size_t read(void* self, std::uint64_t offset, void* out, std::size_t size);

  int fd_;
  std::string path_;
  bool live_ = false;
  RingRecovery recovery_;
};

}  // namespace evt
