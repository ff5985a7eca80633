// All formats that are imported.
#include "chrome/chrome_source.h"
#include "eventlog/eventlog_source.h"
#include "libtrace-read/core/src/source/importer.h"

namespace evt {

std::span<const Importer> importers() {
  static constexpr Importer kAll[] = {{&is_eventlog, &open_eventlog}, {&is_chrome_json, &open_chrome_json}};
  return kAll;
}

}  // namespace evt
