// All formats that are imported.
#include "eventlog/eventlog_source.h"
#include "libtrace-read/core/src/source/importer.h"

namespace evt {

std::span<const Importer> importers() {
  static constexpr Importer kAll[] = {{&is_eventlog, &open_eventlog}};
  return kAll;
}

}  // namespace evt
