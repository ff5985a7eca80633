// In place of the formats that the reader imports: for tests that are built without them.
#include "libtrace-read/core/src/source/byte_source.h"
#include "libtrace-read/core/src/source/importer.h"

namespace evt {

std::span<const Importer> importers() { return {}; }
bool is_imported_folder(const std::string& /*path*/) { return false; }
Result<std::unique_ptr<ByteSource>> open_imported_folder(const std::string& path) {
  return Status{Code::kNotATrace, path + ": no format is imported here"};
}

}  // namespace evt
