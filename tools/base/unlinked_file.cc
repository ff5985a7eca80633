#include "unlinked_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <utility>

#include "output.h"

namespace evt::tools {

Result<UnlinkedFile> UnlinkedFile::make() {
  const char* const wanted = getenv("TMPDIR");
  const std::string folder = wanted != nullptr && *wanted != '\0' ? wanted : "/tmp";
  std::string path = folder + "/evtrace-XXXXXX";
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) {
    return Status(Code::kIo, "cannot make a temporary file in " + folder + ": " + strerror(errno));
  }
  unlink(path.c_str());
  return UnlinkedFile(descriptor);
}

UnlinkedFile::UnlinkedFile(UnlinkedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

UnlinkedFile::~UnlinkedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

int UnlinkedFile::write(Bytes bytes) { return write_all(descriptor_, bytes.data(), bytes.size()); }

}  // namespace evt::tools
