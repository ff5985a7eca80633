#include "ring_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format-spec/src/ring/lock_in_time.h"
#include "format-spec/src/ring/ring_folders.h"
#include "libtrace-read/core/src/base/read_at.h"

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

// Not of another user, though root may read all: a ring contains what its user put into the trace.
bool RingFile::is_of(std::uint32_t user, std::uint32_t owner) {
  return user == ::geteuid() || (::geteuid() == 0 && user == owner);
}

Result<std::unique_ptr<RingFile>> RingFile::open(const std::string& path, std::uint32_t owner) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return Status(Code::kIo, errno == ELOOP ? "it is a symbolic link" : ::strerror(errno));
  struct stat status;
  const bool is_known = ::fstat(fd, &status) == 0;
  const bool is_ours = is_known && is_of(status.st_uid, owner);
  if (is_ours && S_ISREG(status.st_mode) && (status.st_mode & 07777) == 0600) {
    return std::unique_ptr<RingFile>(new RingFile(fd, path));
  }
  ::close(fd);
  return Status(Code::kInvalid, is_known && !is_ours ? "it is another user's" : "it is no regular file of mode 0600");
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
