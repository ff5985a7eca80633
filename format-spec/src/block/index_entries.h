// Entries of an INDEX block about the blocks before it, as bytes (FORMAT.md, section 6.6). Pure: structs in, bytes out.
#pragma once

#include <evt/format.h>

#include <cstdint>

#include "block_header.h"
#include "format-spec/src/base/buffer.h"
#include "format-spec/src/base/varint.h"
#include "piece_table.h"

namespace evt {

// The fixed part of the payload.
struct IndexHead {
  std::uint32_t entry_count = 0;
  std::uint64_t previous_distance = 0;
  std::uint64_t covered = 0;
  std::uint32_t entries_size = 0;
  std::uint32_t info_size = 0;
};
void store_index_head(const IndexHead& head, std::uint8_t* out);

// Number of rows of each type in a block, in the order in which the types were met.
struct TypeCounts {
  std::uint32_t met = 0;
  std::uint16_t types[1 << 16];
  std::uint32_t rows[1 << 16];  // by type

  void count(std::uint16_t type) {
    if (rows[type]++ == 0) types[met++] = type;
  }
  void clear() {
    for (std::uint32_t i = 0; i < met; ++i) rows[types[i]] = 0;
    met = 0;
  }
};

// Consecutive entries, in the caller's memory. Each add returns true if there was room.
class IndexEntries {
 public:
  IndexEntries(std::uint8_t* memory, std::size_t capacity) : memory_(memory), capacity_(capacity) {}

  bool add(std::uint16_t type, std::uint64_t size);
  // `counts` null, or too many for the remaining room: unknown. `size`: of the whole block, with its padding. `pieces`:
  // the rows of each stream.
  bool add_events(std::uint64_t size, std::uint8_t codec, const EventsHeader& events, const Piece* pieces,
                  std::uint32_t count, const TypeCounts* counts);
  // As above, for rows of one stream.
  bool add_events(std::uint64_t size, std::uint8_t codec, const EventsHeader& events, const TypeCounts* counts) {
    const Piece alone = piece_of(events);
    return add_events(size, codec, events, &alone, 1, counts);
  }
  void clear() { size_ = count_ = 0, covered_ = last_first_ticks_ = 0; }

  std::uint32_t count() const { return count_; }
  std::uint32_t size() const { return size_; }
  std::uint64_t covered() const { return covered_; }  // bytes of all these blocks
  std::size_t room() const { return capacity_ - size_; }

 private:
  bool finish(const std::uint8_t* end, std::uint64_t size);

  std::uint8_t* memory_;
  std::size_t capacity_;
  std::uint32_t size_ = 0;
  std::uint32_t count_ = 0;
  std::uint64_t covered_ = 0;
  std::uint64_t last_first_ticks_ = 0;
};

// Entry of a stream in the last INDEX block of a session.
struct IndexedStream {
  std::uint32_t id = 0;
  std::uint64_t rows = 0;
  std::uint64_t first_ticks = 0;
  std::uint64_t last_ticks = 0;
  std::uint64_t lost[EVT_LOST_CAUSES] = {};  // by cause
};
void append_index_info(Buffer& out, const IndexedStream* streams, std::uint32_t count);

}  // namespace evt
