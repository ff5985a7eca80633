// Events that each stream had lost before one of its blocks, from the headers.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "format-spec/src/block/piece_table.h"
#include "libtrace-read/core/src/block/block_reader.h"
#include "libtrace-read/core/src/session/session_data.h"

namespace evt {

// Refers to the blocks and the session while it lives. Keeps the table of one multiplexed block.
class LossTotals {
 public:
  LossTotals(BlockReader& blocks, const SessionData& session) : blocks_(blocks), session_(session) {}

  // Up to the part of the stream before the one in this block, which is one of the session's. Nothing if the table that
  // has it cannot be read. Call it once for each part: its own losses are kept for the next one. `number`: of the piece
  // in its block, see StreamSpan.
  std::optional<std::uint64_t> before(const Block& block, std::uint32_t number, const Piece& piece);
  // Up to the last part of the stream.
  std::optional<std::uint64_t> of_all(std::uint32_t stream);

 private:
  using Places =
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>;  // indexes of parts, by block and piece

  std::optional<std::uint64_t> up_to(const StreamSpan& part);
  std::optional<std::size_t> place_of(std::uint32_t stream, const StreamSpan& span);
  std::uint64_t not_kept_before(std::uint32_t stream, std::size_t part) const;

  BlockReader& blocks_;
  const SessionData& session_;
  std::uint32_t latest_ = UINT32_MAX;  // the block of the table
  std::vector<Piece> table_;
  struct Latest {
    StreamSpan part{UINT32_MAX};
    std::uint64_t lost = 0;
  };
  std::unordered_map<std::uint32_t, Places> places_;     // by stream: of those with late rows
  std::unordered_map<std::uint32_t, Latest> latest_of_;  // by stream
};

}  // namespace evt
