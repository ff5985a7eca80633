#include "metadata_log.h"

namespace evt {
namespace {

// Small enough that a damaged one costs little; one record may be larger.
constexpr std::size_t kBlockSize = 256 << 10;

std::size_t record_size(std::uint16_t block_type, const std::uint8_t* record) {
  if (block_type == EVT_BLOCK_STRINGS) return EVT_STRING_RECORD_SIZE + std::size_t{evt_load_u32(record + 4)};
  return evt_load_u32(record);
}

}  // namespace

bool MetadataLog::write_pending(BlockOutput& out) {
  if (!begun_) {
    begun_ = true;
    return write_all(out);
  }
  return write_records(out, types_) && write_records(out, streams_) && write_records(out, strings_);
}

bool MetadataLog::write_all(BlockOutput& out) {
  types_.written = streams_.written = strings_.written = 0;
  return out.write(EVT_BLOCK_SESSION, session_.data(), session_.size()) &&
         out.write(EVT_BLOCK_CLOCK, clock_.data(), clock_.size()) && write_pending(out);
}

bool MetadataLog::write_records(BlockOutput& out, Records& list) {
  while (list.written < list.records.size()) {
    Buffer payload;
    payload.append_u32(0);
    std::uint32_t count = 0;
    while (list.written < list.records.size() && payload.size() < kBlockSize) {
      const std::uint8_t* const record = list.records.data() + list.written;
      const std::size_t size = record_size(list.block_type, record);
      payload.append(record, size);
      list.written += size;
      ++count;
    }
    if (!payload.ok()) return out.no_memory(payload.size());
    evt_store_u32(payload.data(), count);
    if (!out.write(list.block_type, payload.data(), payload.size())) return false;
  }
  return true;
}

}  // namespace evt
