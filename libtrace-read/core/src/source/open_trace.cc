#include "open_trace.h"

#include <sys/stat.h>

#include "importer.h"
#include "open_source.h"
#include "trace_source.h"

namespace evt {

Result<std::unique_ptr<ByteSource>> open_trace_file(const std::string& path) {
  struct stat status;
  const bool is_folder = stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder && is_imported_folder(path) ? open_imported_folder(path) : as_trace(open_file(path));
}

Result<std::unique_ptr<ByteSource>> open_trace_descriptor(int descriptor, const std::string& name, Bytes already_read) {
  struct stat status;
  const bool is_folder = fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
  return is_folder && is_imported_folder(name) ? open_imported_folder(name)
                                               : as_trace(open_descriptor(descriptor, name, already_read));
}

}  // namespace evt
