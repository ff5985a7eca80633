// Blocks -> sessions: who is recorded, what the words mean, and where each stream's rows are.
#pragma once

#include <evt/saturating_add.h>

#include <deque>
#include <optional>
#include <unordered_map>

#include "format-spec/src/block/piece_table.h"
#include "libtrace-read/core/src/base/cursor.h"
#include "libtrace-read/core/src/block/block_reader.h"
#include "libtrace-read/core/src/index/index_payload.h"
#include "session_data.h"

namespace evt {

// Refers to its arguments while it lives.
class SessionBuilder {
 public:
  SessionBuilder(BlockReader& blocks, std::deque<Session>& sessions, std::deque<SessionData>& data, Ledger& ledger)
      : blocks_(blocks), sessions_(sessions), data_(data), ledger_(ledger) {}

  // Takes a block, and reads its metadata; all blocks in the order of the file. `indexed`: what an index has of the
  // streams of multiplexed rows, of which the block gets a mark.
  void add(Block& block, const std::vector<Piece>* indexed = nullptr);
  // Of the block that was taken last, the rows of each stream.
  const std::vector<Piece>& pieces() const { return pieces_; }
  // Once all blocks were taken. Whether the trace is whole.
  Status finish();

 private:
  void begin_session(const Block& block);
  void forget_if_empty();
  void add_session(const Block& block);
  void add_clock(const Block& block);
  void add_sync(const Block& block);
  static void build_clocks(SessionData& data);
  void add_types(const Block& block);
  void add_type(const Block& block, Bytes record);
  void add_streams(const Block& block);
  void add_strings(const Block& block);
  void add_events(Block& block, const std::vector<Piece>* indexed);
  bool add_piece(const Block& block, const Piece& piece, std::uint32_t number);
  void add_trailer(const Block& block);
  StreamParts& stream(std::uint32_t id);
  void finish_session();
  void count_gone(const Block& block, std::uint64_t rows_before, std::uint64_t lost_before);
  bool lacks_something() const;
  void add_gap(StreamParts& to, const SessionData::Gap& gap);
  void add_lost(StreamParts& to, std::uint64_t lost);
  void add_tails();
  void add_tail(const IndexedStream& indexed);
  void add_torn();
  void add_truncated_piece(const Block& block, const Piece& piece);
  void add_unknown_tail();
  void tell_gaps(const SessionData& data);
  Status summary() const;

  BlockReader& blocks_;
  std::deque<Session>& sessions_;
  std::deque<SessionData>& data_;
  Ledger& ledger_;
  std::vector<std::byte> payload_;
  std::vector<Piece> pieces_;

  SessionData* now_ = nullptr;
  std::unordered_map<std::uint64_t, SessionData*> by_id_;
  std::optional<std::uint64_t> forgotten_;  // where the first session of nothing was
  bool newer_ = false;
  std::string newer_version_;
};

}  // namespace evt
