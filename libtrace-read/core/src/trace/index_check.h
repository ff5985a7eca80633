// Checks whether INDEX blocks and TRAILER are right; reading does not need it.
#pragma once

#include <unordered_map>

#include "libtrace-read/core/src/index/index_chain.h"
#include "libtrace-read/core/src/session/session_builder.h"

namespace evt {

// Refers to blocks and damage while it lives. Keeps what was found between two INDEX blocks.
class IndexCheck {
 public:
  IndexCheck(BlockReader& blocks, Ledger& ledger) : blocks_(blocks), ledger_(ledger) {}

  // A block that was found; in the order of the file.
  // `pieces`: of whose streams its rows are.
  void add(const Block& block, const std::vector<Piece>& pieces);
  // Once all blocks are known: the tables of streams. Sessions get the counts of their indexes where nothing was wrong.
  void finish(std::deque<SessionData>& data);

 private:
  struct Stream {
    std::uint64_t rows = 0;
    std::uint64_t first_ticks = UINT64_MAX;
    std::uint64_t last_ticks = 0;
  };
  struct State {
    std::vector<Block> since;  // the latest INDEX block, or the session's first
    std::unordered_map<std::uint32_t, Stream> streams;
    std::uint64_t index_at = 0;  // of the latest INDEX block of the segment
    bool any = false;            // there is one
    bool right = true;           // all that they state
    bool ended = false;          // TRAILER leads to the latest
    bool at_end = false;         // the latest block is a TRAILER
    std::uint64_t rows = 0;      // of the session, by the latest TRAILER
    std::uint64_t lost = 0;
    std::uint64_t trailer_at = 0;
    std::size_t damage = 0;  // that was known at the session's start or at the latest INDEX block
    IndexedRows says;
    std::vector<IndexedStream> table;  // of the latest
  };

  void add_index(State& state, const Block& block);
  void compare(State& state, const IndexPayload& index);
  void add_trailer(State& state, const Block& block);
  void begin_segment(State& state);
  void check_trailer(const State& state, const SessionData& data);
  void wrong(State& state, std::uint64_t at, std::string why);

  BlockReader& blocks_;
  Ledger& ledger_;
  std::unordered_map<std::uint64_t, State> states_;  // by session
};

}  // namespace evt
