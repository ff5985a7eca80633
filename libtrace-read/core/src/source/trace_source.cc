#include "trace_source.h"

#include "importer.h"

namespace evt {

Result<std::unique_ptr<ByteSource>> as_trace(Result<std::unique_ptr<ByteSource>> source) {
  if (!source) return source;
  std::byte front[Importer::kBytes];
  const Importer* const importer = importer_for({front, (*source)->read_at(0, front, sizeof front)});
  return importer == nullptr ? std::move(source) : importer->open(*std::move(source));
}

}  // namespace evt
