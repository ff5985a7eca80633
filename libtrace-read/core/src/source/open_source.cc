#include "open_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decompressed_source.h"
#include "pipe.h"
#include "spool.h"

namespace evt {
namespace {

Status cannot_read(const std::string& name, int error) {
  return {Code::kIo, "cannot read " + name + ": " + strerror(error)};
}

// Takes the descriptor over if it is owned.
Result<std::unique_ptr<ByteSource>> open_any(int fd, bool owned, const std::string& name, Bytes already_read) {
  struct stat status;
  if (fstat(fd, &status) != 0) return cannot_read(name, errno);
  if (S_ISDIR(status.st_mode)) return Status(Code::kIo, "cannot read " + name + ": it is a directory");
  if (S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_CUR) >= 0) {
    return decompressed(file_source(fd, owned, name, status));
  }
  Pipe pipe(fd, name, already_read);
  auto spooled = pipe.is_compressed() ? spool_decompressed(pipe, name) : spool(pipe, name, Pipe::kMostInMemory);
  if (owned) ::close(fd);
  return spooled;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
  int fd;
  do {
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return Status(Code::kIo, "cannot open " + path + ": " + strerror(errno));
  return open_any(fd, true, path, {});
}

Result<std::unique_ptr<ByteSource>> open_descriptor(int descriptor, const std::string& name, Bytes already_read) {
  return open_any(descriptor, false, name, already_read);
}

Result<std::unique_ptr<ByteSource>> open_memory(Bytes bytes) { return decompressed(memory_source(bytes)); }

}  // namespace evt
