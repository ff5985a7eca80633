#include "index_entries.h"

#include <evt/little_endian.h>

#include <cstring>

#include "format-spec/src/base/capnp_message.h"

namespace evt {
namespace {

// Sizes from metadata.capnp.
constexpr StructSize kIndexInfo{0, 1};
constexpr StructSize kIndexedStream{4, 1};
constexpr StructSize kLostByCause{2, 0};

// Room for the size of an entry, before it is known; and for a whole entry except its counts.
constexpr std::size_t kEntrySizeRoom = 3;
constexpr std::size_t kMaxWithoutCounts = kEntrySizeRoom + 9 * kMaxNumber;
constexpr std::size_t kMaxPieceEntry = 30;
constexpr std::size_t kMaxCount = 3 + 5;  // a type's difference, and 32 bits

}  // namespace

void store_index_head(const IndexHead& head, std::uint8_t* out) {
  evt_store_u16(out, EVT_INDEX_FIXED_SIZE);
  evt_store_u16(out + 2, 0);
  evt_store_u32(out + 4, head.entry_count);
  evt_store_u64(out + 8, head.previous_distance);
  evt_store_u64(out + 16, head.covered);
  evt_store_u32(out + 24, head.entries_size);
  evt_store_u32(out + 28, head.info_size);
}

// The entry was written after room for its size; moves it to where the size ends.
bool IndexEntries::finish(const std::uint8_t* end, std::uint64_t size) {
  std::uint8_t* const begin = memory_ + size_;
  const auto body = static_cast<std::size_t>(end - begin) - kEntrySizeRoom;
  std::uint8_t* const to = store_number(begin, body);
  std::memmove(to, begin + kEntrySizeRoom, body);
  size_ = static_cast<std::uint32_t>(to + body - memory_);
  count_ += 1;
  covered_ += size;
  return true;
}

bool IndexEntries::add(std::uint16_t type, std::uint64_t size) {
  if (room() < kMaxWithoutCounts) return false;
  std::uint8_t* p = store_number(memory_ + size_ + kEntrySizeRoom, type);
  return finish(store_number(p, size), size);
}

bool IndexEntries::add_events(std::uint64_t size, std::uint8_t codec, const EventsHeader& events, const Piece* pieces,
                              std::uint32_t count, const TypeCounts* counts) {
  if (room() < kMaxWithoutCounts + count * kMaxPieceEntry) return false;
  std::uint8_t* p = store_number(memory_ + size_ + kEntrySizeRoom, EVT_BLOCK_EVENTS);
  p = store_number(p, size);
  p = store_number(p, events.layout);
  p = store_number(p, codec);
  p = store_number(p, events.clock_id);
  p = store_number(p, fold(events.first_ticks - last_first_ticks_));
  p = store_number(p, events.last_ticks - events.first_ticks);
  p = store_number(p, count);
  for (std::uint32_t i = 0; i < count; ++i) {
    p = store_number(p, pieces[i].stream_id);
    p = store_number(p, pieces[i].row_count);
    p = store_number(p, pieces[i].first_ordinal);
    p = store_number(p, pieces[i].lost_total);
  }
  const auto left = static_cast<std::size_t>(memory_ + capacity_ - p);
  const bool known = counts != nullptr && counts->met <= (left - kMaxNumber) / kMaxCount;
  const std::uint32_t met = known ? counts->met : 0;
  p = store_number(p, met);
  std::uint16_t before = 0;
  for (std::uint32_t i = 0; i < met; ++i) {
    const std::uint16_t type = counts->types[i];
    p = store_number(p, fold(std::uint64_t{type} - before));
    p = store_number(p, counts->rows[type]);
    before = type;
  }
  last_first_ticks_ = events.first_ticks;
  return finish(p, size);
}

void append_index_info(Buffer& out, const IndexedStream* streams, std::uint32_t count) {
  CapnpMessage message(out);
  const auto root = message.root(kIndexInfo);
  if (count == 0) return;
  const auto list = message.set_struct_list(CapnpMessage::slot(root, 0), count, kIndexedStream);
  for (std::uint32_t i = 0; i < count; ++i) {
    const IndexedStream& stream = streams[i];
    const auto to = CapnpMessage::element(list, i);
    message.set_u32(to, 0, stream.id);
    message.set_u64(to, 8, stream.rows);
    message.set_u64(to, 16, stream.last_ticks);
    message.set_u64(to, 24, stream.first_ticks);
    std::uint32_t causes = 0;
    for (const std::uint64_t lost : stream.lost) causes += lost != 0 ? 1 : 0;
    if (causes == 0) continue;
    const auto losses = message.set_struct_list(CapnpMessage::slot(to, 0), causes, kLostByCause);
    std::uint32_t next = 0;
    for (std::uint16_t cause = 0; cause < EVT_LOST_CAUSES; ++cause) {
      if (stream.lost[cause] == 0) continue;
      const auto loss = CapnpMessage::element(losses, next++);
      message.set_u16(loss, 0, cause);
      message.set_u64(loss, 8, stream.lost[cause]);
    }
  }
}

}  // namespace evt
