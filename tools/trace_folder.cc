#include "trace_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf_folder.h"
#include "libtrace-record/collect/session_folder.h"
#include "memory_limit.h"
#include "unlinked_file.h"

namespace evt::tools {

bool is_trace_folder(const std::string& path) {
  return record::is_session_folder(path) || is_ctf_folder(path) || is_ctf_stream(path);
}

Result<int> open_trace_folder(const std::string& path) {
  auto file = UnlinkedFile::make();
  if (!file) return file.status();
  Status status;
  if (record::is_session_folder(path)) {
    status = record::merge_folder(path, [&](Bytes bytes) { return file->write(bytes); }).status();
  } else {
    status = read_ctf(path, file->descriptor());
  }
  if (!status.ok()) return status;
  struct stat facts;
  const int descriptor = fcntl(file->descriptor(), F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0 || fstat(descriptor, &facts) != 0 || lseek(descriptor, 0, SEEK_SET) != 0) {
    if (descriptor >= 0) close(descriptor);
    return Status(Code::kIo, fmt::format("{}: {}", path, strerror(errno)));
  }
  MemoryLimit::allow_for(static_cast<std::uint64_t>(facts.st_size));
  return descriptor;
}

}  // namespace evt::tools
