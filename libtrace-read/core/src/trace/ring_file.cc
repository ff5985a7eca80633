#include "ring_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format-spec/src/ring/lock_in_time.h"
#include "format-spec/src/ring/ring_folders.h"
#include "libtrace-read/core/src/base/read_at.h"
#include "private_file.h"

namespace evt {

RingFile::RingFile(int fd, std::string path)
    : fd_(fd), path_(std::move(path)), live_(!lock_in_time(fd, LOCK_SH)), recovery_({&RingFile::read, this}) {}

RingFile::~RingFile() { ::close(fd_); }

void RingFile::unlock() { ::flock(fd_, LOCK_UN); }

std::size_t RingFile::read(void* self, std::uint64_t offset, void* out, std::size_t size) {
  return static_cast<const RingFile*>(self)->read_at(offset, out, size);
}

std::size_t RingFile::read_at(std::uint64_t offset, void* out, std::size_t size) const {
  return evt::read_at(fd_, offset, out, size);
}

std::optional<FileIdentity> RingFile::output() const {
  const ring::Output* const output = ring::output_of(recovery_.header());
  if (output == nullptr || output->inode == 0) return std::nullopt;
  return FileIdentity{output->device, output->inode};
}

std::string RingFile::trace() const {
  const char* const path = ring::path_of(recovery_.header());
  struct stat status;
  const bool is_there = *path != '\0' && ::stat(path, &status) == 0 && belongs_to({status.st_dev, status.st_ino});
  return is_there ? path : "";
}

bool RingFile::has_a_name() const {
  struct stat status;
  return ::fstat(fd_, &status) == 0 && status.st_nlink > 0;
}

std::uint64_t RingFile::size() const {
  struct stat status;
  return ::fstat(fd_, &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * 512 : 0;
}

bool RingFile::remove() {
  errno = ENOENT;
  return has_a_name() && ::unlink(path_.c_str()) == 0;
}

Result<std::unique_ptr<RingFile>> RingFile::open(const std::string& path, std::uint32_t owner) {
  struct stat facts;
  const auto fd = open_private_file(path, owner, &facts);
  if (!fd) return fd.status();
  return std::unique_ptr<RingFile>(new RingFile(*fd, path));
}

std::unique_ptr<RingFile> RingFile::find(const std::string& name, std::uint64_t session_id, const std::string& trace,
                                         const FileIdentity& file) {
  // The name comes from a file: it must not lead anywhere else.
  const bool plain = name.starts_with(ring::kNamePrefix) && name.find('/') == std::string::npos && name.size() < 128;
  if (!plain || name.find('\0') != std::string::npos) return nullptr;
  for (const char* const folder : RingFolders(trace.c_str())) {
    auto found = find_at(std::string(folder) + "/" + name, session_id, file);
    if (found != nullptr) return found;
  }
  return nullptr;
}

std::unique_ptr<RingFile> RingFile::find_at(const std::string& path, std::uint64_t session_id,
                                            const FileIdentity& file) {
  auto found = open(path, file.owner);
  if (!found) return nullptr;
  // A ring without a name was put into its trace, or its session was closed, before it could be locked.
  RingFile& ring = **found;
  const bool fits = ring.has_a_name() && ring.recovery_.open() && ring.recovery_.session_id() == session_id;
  return fits ? *std::move(found) : nullptr;
}

}  // namespace evt
