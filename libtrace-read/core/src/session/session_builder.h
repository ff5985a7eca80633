// Blocks -> sessions: who is recorded, what the words mean, and where each stream's rows are.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>

#include "format-spec/src/block/piece_table.h"
#include "libtrace-read/core/src/block/block_decoder.h"
#include "libtrace-read/core/src/block/block_reader.h"
#include "metadata_reader.h"
#include "session_data.h"

namespace evt {

// Refers to its arguments while it lives.
class SessionBuilder {
 public:
  // `is_thorough`: reads all rows, so that none of a block that cannot be read hides those that another one has.
  SessionBuilder(BlockReader& blocks, std::deque<Session>& sessions, std::deque<SessionData>& data, Ledger& ledger,
                 bool is_thorough = false);

  // Takes a block, and reads its metadata; all blocks in the order of the file. `indexed`: what an index has of the
  // streams of multiplexed rows, of which the block gets a mark.
  void add(Block& block, const std::vector<Piece>* indexed = nullptr);
  // Of the block that was taken last, the rows of each stream.
  const std::vector<Piece>& pieces() const { return pieces_; }
  // Once all blocks were taken. Whether the trace is whole.
  Status finish();

 private:
  void begin_session(const Block& block);
  void note_place(const Block& block);
  void note_other(const Block& block);
  void forget_if_empty();
  void add_events(Block& block, const std::vector<Piece>* indexed);
  bool add_piece(const Block& block, const Piece& piece, std::uint32_t number);
  bool add_late_rows(const Block& block, const Piece& piece, std::uint32_t number, StreamParts& to);
  bool can_be_read(const Block& block);
  void add_trailer(const Block& block);
  void drop_refused();
  void finish_session();
  void tell_gaps(const SessionData& data);
  Status summary() const;

  BlockReader& blocks_;
  std::deque<Session>& sessions_;
  std::deque<SessionData>& data_;
  Ledger& ledger_;
  MetadataReader metadata_;
  std::vector<std::byte> payload_;
  std::vector<Piece> pieces_;
  std::optional<BlockDecoder> decoder_;  // where all rows are read

  bool is_readable_ = true;  // the block of rows that is taken

  SessionData* now_ = nullptr;
  std::unordered_map<std::uint64_t, SessionData*> by_id_;
  std::optional<std::uint64_t> forgotten_;  // where the first session of nothing was
};

}  // namespace evt
