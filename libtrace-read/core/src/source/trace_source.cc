#include "trace_source.h"

#include <sys/stat.h>

#include "block_scan.h"
#include "importer.h"

namespace evt {

bool may_be_trace(Bytes front) {
  return importer_for(front) != nullptr || find_block(front, 0, EVT_FIRST_BLOCK_WITHIN) != kNoBlock;
}

Result<std::unique_ptr<ByteSource>> as_trace(Result<std::unique_ptr<ByteSource>> source) {
  if (!source) return source;
  std::byte front[Importer::kBytes];
  const Importer* const importer = importer_for({front, (*source)->read_at(0, front, sizeof front)});
  return importer == nullptr ? std::move(source) : importer->open(*std::move(source));
}

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
