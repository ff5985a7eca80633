// What the streams of a session share while they are read.
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
#include "libtrace-read/core/src/session/type_lookup.h"
#include "spooled_rows.h"

namespace evt {

// Made by who reads; refers to all of it while it lives.
struct RowContext {
  BlockReader* blocks = nullptr;
  IndexedBlockVerifier* verifier = nullptr;
  BlockDecoder* decoder = nullptr;
  MultiplexedBlocks* multiplexed = nullptr;
  std::vector<Block>* event_blocks = nullptr;  // that parts of streams refer to; verified as they are opened
  DecodeAhead* ahead = nullptr;                // null: blocks are decoded when they are needed
  Session* session = nullptr;
  const std::map<std::uint16_t, ClockMap>* clocks = nullptr;
  Ledger* ledger = nullptr;
  std::uint32_t session_number = 0;
  std::size_t slice_size = 0;           // of a block read at a time
  std::vector<std::byte> whole;         // rows of a block of which a slice is wanted
  std::uint64_t whole_of = UINT64_MAX;  // the block's offset
  bool by_ns = false;
  bool markers = false;
  TimeRange range;  // blocks wholly outside are not read
  BufferPool* slices = nullptr;
  SpooledRows* spooled = nullptr;
  TypeLookup* types = nullptr;
  std::uint64_t key_of(const ClockMap* clock, std::uint64_t ticks) const {
    // The order of signed numbers, in unsigned ones.
    return by_ns ? static_cast<std::uint64_t>(clock->to_ns(ticks)) ^ (std::uint64_t{1} << 63) : ticks;
  }
  // All rows of a block, if they are not there already. Empty, or why not.
  Status decode_whole(const Block& block);
  std::uint64_t key_of(std::uint16_t clock, std::uint64_t ticks) const { return key_of(&clocks->at(clock), ticks); }
};

}  // namespace evt
