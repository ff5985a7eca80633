// All formats that are imported.
#include "chrome/chrome_source.h"
#include "ctf/ctf_source.h"
#include "eventlog/eventlog_source.h"
#include "libtrace-read/core/src/source/importer.h"

namespace evt {

std::span<const Importer> importers() {
  static constexpr Importer kAll[] = {
      {&is_eventlog, &open_eventlog}, {&is_chrome_json, &open_chrome_json}, {&is_ctf_stream, &open_ctf_stream}};
  return kAll;
}

bool is_imported_folder(const std::string& path) { return is_ctf_folder(path); }

Result<std::unique_ptr<ByteSource>> open_imported_folder(const std::string& path) { return open_ctf_folder(path); }

}  // namespace evt
