// Checks INDEX blocks and TRAILER; reading does not need it.
#pragma once

#include <unordered_map>

#include "libtrace-read/core/src/index/index_chain.h"
#include "libtrace-read/core/src/session/session_builder.h"

namespace evt {

// Refers to blocks and damage while it lives. Keeps what was found between two INDEX blocks.
class IndexCheck {
 public:
  IndexCheck(BlockReader& blocks, Ledger& ledger) : blocks_(blocks), ledger_(ledger) {}

  // Adds a block that was found, in the order of the file. `pieces`: the streams of its rows.
  void add(const Block& block, const std::vector<Piece>& pieces);
  // Called once all blocks are known: checks the tables of streams. Sessions get the counts of their indexes if nothing
  // was wrong.
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
    std::uint64_t index_at = 0;  // the segment's latest INDEX block
    bool any = false;            // there is one
    bool right = true;           // all that they state
    bool ended = false;          // TRAILER leads to the latest one
    bool at_end = false;         // the latest block is a TRAILER
    bool has_recovered = false;  // a recovered block
    bool leaves_out = false;     // the index does not describe them
    std::uint64_t rows = 0;      // the session's, from the latest TRAILER
    std::uint64_t lost = 0;
    std::uint64_t trailer_at = 0;
    std::size_t damage = 0;  // known at the session's start or at the latest INDEX block
    IndexedRows says;
    std::vector<IndexedStream> table;  // the latest one
  };

  static void leave_out_recovered(State& state);
  void add_index(State& state, const Block& block);
  void compare(State& state, const IndexPayload& index);
  void add_trailer(State& state, const Block& block);
  void begin_segment(State& state);
  void check_trailer(const State& state, const SessionData& data);
  void check_table(State& state, const SessionData& session);
  void wrong(State& state, std::uint64_t at, std::string why);

  BlockReader& blocks_;
  Ledger& ledger_;
  std::unordered_map<std::uint64_t, State> states_;  // by session
};

}  // namespace evt
