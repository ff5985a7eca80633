// The compactor of <evt/compact.h>. In its own library, because only this needs zstd.
#include <evt/compact.h>
#include <evt/format.h>

#include <cstdlib>
#include <new>

#include "format-spec/src/columns/frame.h"
#include "libtrace-write/src/compactor.h"

namespace evt {
namespace {

void* open() {
  void* const memory = std::malloc(sizeof(ColumnFrame));
  return memory == nullptr ? nullptr : new (memory) ColumnFrame;
}

void learn(void* state, const std::uint8_t* types, std::size_t size) {
  static_cast<ColumnFrame*>(state)->encoder().learn(types, size);  // without memory: rows are larger, but correct
}

bool compact(void* state, const std::uint8_t* rows, std::size_t size, std::uint32_t row_count, Compacted* out) {
  auto& frame = *static_cast<ColumnFrame*>(state);
  if (!frame.make(rows, size, row_count)) return false;
  *out = {frame.bytes(), static_cast<std::uint32_t>(frame.size()), static_cast<std::uint32_t>(frame.raw_size()),
          EVT_LAYOUT_COLUMNS, EVT_CODEC_ZSTD};
  return true;
}

void close(void* state) {
  static_cast<ColumnFrame*>(state)->~ColumnFrame();
  std::free(state);
}

}  // namespace
}  // namespace evt

const evt_compactor* evt_columns(void) {
  static constexpr evt_compactor kColumns = {sizeof(evt_compactor), evt::open, evt::learn, evt::compact, evt::close};
  return &kColumns;
}
