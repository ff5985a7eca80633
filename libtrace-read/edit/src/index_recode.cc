#include "index_recode.h"

#include <evt/format.h>

#include <memory>

#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

void fill(TypeCounts& counts, const std::vector<TypeCount>& from) {
  counts.clear();
  for (const TypeCount& type : from) {
    if (type.rows == 0 || counts.rows[type.number] != 0) continue;
    counts.types[counts.met++] = static_cast<std::uint16_t>(type.number);
    counts.rows[type.number] = static_cast<std::uint32_t>(type.rows);
  }
}

}  // namespace

void IndexRecoder::wrote(const BlockHeader& header, const EventsHeader& events, std::uint64_t size) {
  written_.push_back({header.type, events.layout, header.codec, size});
}

void IndexRecoder::wrote_index(std::uint64_t size) {
  written_.clear();
  index_size_ = size;
}

bool IndexRecoder::recode(const Block& block, std::vector<std::byte>* payload) {
  IndexPayload index;
  index.block = block;
  index.bytes = *payload;
  if (!whole_ || !index.parse().ok() || index.head.entry_count != written_.size()) return false;
  // Sizes and forms may take some bytes more than before, and each number reserves its largest size.
  std::vector<std::uint8_t> memory(8 * index.entries.size() + 16 * (written_.size() + 16));
  IndexEntries entries(memory.data(), memory.size());
  const auto counts = std::make_unique<TypeCounts>();
  IndexEntryReader from = index.read();
  for (const Written& written : written_) {
    const IndexEntry* const entry = from.next();
    if (entry == nullptr || entry->type != written.type) return false;
    if (entry->type != EVT_BLOCK_EVENTS) {
      if (!entries.add(written.type, written.size)) return false;
      continue;
    }
    EventsHeader events = entry->block().events;
    events.layout = written.layout;
    fill(*counts, entry->counts);
    const auto pieces = static_cast<std::uint32_t>(entry->pieces.size());
    if (!entries.add_events(written.size, written.codec, events, entry->pieces.data(), pieces, counts.get()))
      return false;
  }
  IndexHead head = index.head;
  head.previous_distance = index_size_ == 0 ? 0 : entries.covered() + index_size_;
  head.covered = entries.covered();
  head.entries_size = entries.size();
  payload->resize(EVT_INDEX_FIXED_SIZE);
  store_index_head(head, raw(payload->data()));
  const auto* const bytes = reinterpret_cast<const std::byte*>(memory.data());
  payload->insert(payload->end(), bytes, bytes + entries.size());
  payload->insert(payload->end(), index.info.begin(), index.info.end());
  return true;
}

}  // namespace evt
