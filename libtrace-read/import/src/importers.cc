#include "importers.h"

#include "libtrace-read/core/src/source/importer.h"

namespace evt {

std::span<const Importer> importers() {
  static constexpr Importer kAll[] = {
      {&is_eventlog, &open_eventlog}, {&is_chrome_json, &open_chrome_json}, {&is_ctf_stream, &open_ctf_stream}};
  return kAll;
}

}  // namespace evt
