#include "trace_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "libtrace-record/collect/session_folder.h"
#include "memory_limit.h"
#include "unlinked_file.h"

namespace evt::tools {

bool is_trace_folder(const std::string& path) { return record::is_session_folder(path); }

Result<OpenedFolder> open_trace_folder(const std::string& path) {
  auto file = UnlinkedFile::make();
  if (!file) return file.status();
  OpenedFolder opened;
  auto merged = record::merge_folder(path, [&](Bytes bytes) { return file->write(bytes); });
  if (!merged) return merged.status();
  opened.problems = std::move(merged->problems);
  struct stat facts;
  opened.descriptor = fcntl(file->descriptor(), F_DUPFD_CLOEXEC, 0);
  if (opened.descriptor < 0 || fstat(opened.descriptor, &facts) != 0 || lseek(opened.descriptor, 0, SEEK_SET) != 0) {
    if (opened.descriptor >= 0) close(opened.descriptor);
    return Status(Code::kIo, fmt::format("{}: {}", path, strerror(errno)));
  }
  MemoryLimit::allow_for(static_cast<std::uint64_t>(facts.st_size));
  return opened;
}

}  // namespace evt::tools
