// Blocks -> sessions: their metadata, and where each stream's rows are.
#pragma once

#include <evt/trace.h>

#include <deque>
#include <optional>
#include <unordered_map>

#include "format-spec/src/block/piece_table.h"
#include "handed_out.h"
#include "libtrace-read/core/src/block/block_decoder.h"
#include "libtrace-read/core/src/block/block_reader.h"
#include "metadata_reader.h"
#include "session_data.h"

namespace evt {

// Refers to its arguments while it lives.
class SessionBuilder {
 public:
  // `is_thorough`: reads all rows, so that rows of an unreadable block do not hide those that another one has.
  // `handed_out`: rows that are not wanted again; null: all are.
  SessionBuilder(BlockReader& blocks, std::deque<Session>& sessions, std::deque<SessionData>& data, Ledger& ledger,
                 const ReadOptions& options = {}, bool is_thorough = false, const HandedOut* handed_out = nullptr);

  // Takes a block, and reads its metadata; called for all blocks in the order of the file. `indexed`: the index's
  // entries for the streams of multiplexed rows; the block gets a mark of them.
  void add(Block& block, const std::vector<Piece>* indexed = nullptr);
  // Rows of each stream in the block that was taken last.
  const std::vector<Piece>& pieces() const { return pieces_; }
  // Called once all blocks were taken. Returns ok if the trace is complete.
  Status finish();

 private:
  void begin_session(const Block& block);
  void leave_out_handed_out();
  void note_place(const Block& block);
  void note_other(const Block& block);
  bool load(const Block& block);
  void forget_if_empty();
  void add_events(Block& block, const std::vector<Piece>* indexed);
  void make_room(std::vector<Block>& blocks, const Block& next) const;
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
  const HandedOut* handed_out_;
  MetadataReader metadata_;
  std::vector<std::byte> payload_;
  std::vector<Piece> pieces_;
  std::optional<BlockDecoder> decoder_;   // if all rows are read
  std::optional<BlockDecoder> unpacker_;  // if there is packed metadata

  bool is_readable_ = true;  // the current block of rows

  SessionData* now_ = nullptr;
  std::unordered_map<std::uint64_t, SessionData*> by_id_;
  std::optional<std::uint64_t> forgotten_;  // offset of the first empty session
};

}  // namespace evt
