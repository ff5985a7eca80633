// State that the streams of a session share while they are read.
#pragma once

#include <evt/trace.h>

#include <map>
#include <vector>

#include "libtrace-read/core/src/block/block_reader.h"
#include "libtrace-read/core/src/block/decode_ahead.h"
#include "libtrace-read/core/src/block/indexed_block_verifier.h"
#include "libtrace-read/core/src/block/ledger.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/block/shared_buffer.h"
#include "libtrace-read/core/src/session/clock_map.h"
#include "libtrace-read/core/src/session/session_data.h"
#include "libtrace-read/core/src/session/type_lookup.h"
#include "row_buffer.h"
#include "spooled_rows.h"

namespace evt {

// Made by the reading code; refers to all of it while it lives.
struct RowContext {
  BlockReader* blocks = nullptr;
  IndexedBlockVerifier* verifier = nullptr;
  BlockDecoder* decoder = nullptr;
  MultiplexedBlocks* multiplexed = nullptr;
  const SessionData* data = nullptr;
  std::vector<Block>* event_blocks = nullptr;  // referred to by parts of streams; verified as they are opened
  DecodeAhead* ahead = nullptr;                // null: blocks are decoded when they are needed
  Session* session = nullptr;
  const std::map<std::uint16_t, ClockMap>* clocks = nullptr;
  Ledger* ledger = nullptr;
  std::uint32_t session_number = 0;
  std::size_t slice_size = 0;           // read at a time from a block
  std::vector<std::byte> whole;         // rows of a block of which only a slice is needed
  std::uint64_t whole_of = UINT64_MAX;  // the block's offset
  OrderBy order = OrderBy::kTicks;
  bool markers = false;
  bool ends = false;
  TimeRange range;  // blocks wholly outside are not read
  BufferPool* slices = nullptr;
  SpooledRows* spooled = nullptr;
  TypeLookup* types = nullptr;
  // All rows of a block, decoded unless they are there already. Returns ok, or why not.
  Status decode_whole(const Block& of) {
    if (whole_of == of.offset) return {};
    whole_of = UINT64_MAX;
    whole.resize(of.events.rows_size);
    Status status = decoder->decode(of, whole.data());
    if (status.ok()) whole_of = of.offset;
    return status;
  }

  // The key of a row that has this time, if no earlier row of its stream has a later one.
  template <OrderBy kOrder>
  static OrderKey key_of(std::uint16_t clock_id, const ClockMap& clock, std::uint64_t ticks) {
    if constexpr (kOrder == OrderBy::kTicks) return {ticks};
    // Maps signed numbers to unsigned ones of the same order.
    const std::uint64_t ns = static_cast<std::uint64_t>(clock.to_ns(ticks)) ^ (std::uint64_t{1} << 63);
    if constexpr (kOrder == OrderBy::kNs) return {ns};
    return {ns, clock_id, ticks};
  }
  OrderKey key_of(std::uint16_t clock_id, const ClockMap& clock, std::uint64_t ticks) const {
    return order == OrderBy::kTicks ? key_of<OrderBy::kTicks>(clock_id, clock, ticks)
           : order == OrderBy::kNs  ? key_of<OrderBy::kNs>(clock_id, clock, ticks)
                                    : key_of<OrderBy::kNsClockTicks>(clock_id, clock, ticks);
  }
  OrderKey key_of(std::uint16_t clock_id, std::uint64_t ticks) const {
    return key_of(clock_id, clocks->at(clock_id), ticks);
  }
};

}  // namespace evt
