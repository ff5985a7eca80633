#include "trace_source.h"

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

}  // namespace evt
