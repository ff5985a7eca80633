// The EVENTS blocks of a session, in the order of the file -> their pieces and rows, checked, for a new trace. If a
// later block fills a gap in a stream, each part of it comes separately, in the order of the rows.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "format-spec/src/base/zeroed_pages.h"
#include "format-spec/src/block/index_entries.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/block/block_decoder.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"
#include "libtrace-read/core/src/trace/trace_data.h"
#include "loss_totals.h"

namespace evt {

// Totals of rows: how many there are of each type, and the losses that they report.
class RowCount {
 public:
  struct Loss {
    std::size_t piece;
    std::uint16_t cause;
    std::uint64_t count;
  };

  // Begins anew.
  void clear() {
    types_->clear();
    losses_.clear();
  }
  // Adds the rows of a piece, the next one, at most as many as it states, and corrects its header: how many there are
  // before they break off, their bytes, times of the first and the last of those that are not later than possible.
  void add(std::size_t number, Bytes rows, std::uint64_t latest_possible, Piece* piece) {
    RowReader walk(rows, piece->base_ticks);
    std::uint32_t count = 0;
    std::size_t size = 0;
    std::uint64_t first = UINT64_MAX;
    std::uint64_t last = 0;
    while (const RowView* const row = count < piece->row_count ? walk.next() : nullptr) {
      ++count;
      size += row->bytes.size();
      types_->count(row->type);
      if (row->type == EVT_ROW_TIME_BASE) continue;
      if (row->ticks <= latest_possible) {
        first = std::min(first, row->ticks);
        last = std::max(last, row->ticks);
      }
      if (row->is_lost()) losses_.push_back({number, row->lost_cause(), row->lost_count()});
    }
    piece->row_count = count;
    piece->rows_size = static_cast<std::uint32_t>(size);
    if (first > last) return;
    piece->first_ticks = first;
    piece->last_ticks = last;
  }

  std::span<const std::uint16_t> types() const { return {types_->types, types_->met}; }
  std::uint32_t rows_of(std::uint16_t type) const { return types_->rows[type]; }
  const std::vector<Loss>& losses() const { return losses_; }

 private:
  struct Free {
    void operator()(TypeCounts* counts) const { unmap_zeroed(counts); }
  };
  static TypeCounts* no_rows() {
    auto* const counts = map_zeroed<TypeCounts>();
    if (counts == nullptr) throw std::bad_alloc();
    return counts;
  }

  std::unique_ptr<TypeCounts, Free> types_{no_rows()};
  std::vector<Loss> losses_;
};

// Refers to the trace while it lives. A block that cannot be read is noted in the trace's list of damage, and left out:
// only the gap in the ordinals of its streams remains.
class SourceBlocks {
 public:
  SourceBlocks(TraceData& trace, SessionData& session);

  // True if a block is worth reading, by what is known of it; others are stepped over.
  using Wants = std::function<bool(const Block&)>;
  void only(Wants wants) { wants_ = std::move(wants); }

  // Blocks of compressed rows that follow the ones before and lose nothing are not unpacked, for a caller that passes
  // them on as they are: see is_packed().
  void keep_packed() { keeps_packed_ = true; }
  // Rows before this one of a stream are not in the session.
  void begin_at(std::uint32_t stream, std::uint64_t ordinal) { next_ordinals_[stream] = ordinal; }

  // The next block with valid rows; false at the end. Its data is valid until the next call.
  bool next();
  // The next block, if it is at this offset in the file and can be read by itself. Returns whether it has valid rows;
  // nothing if it is not there. For callers that meet the blocks otherwise, in the same order.
  std::optional<bool> next_at(std::uint64_t offset);

  const SessionData& session() const { return session_; }
  const Block& block() const { return *block_; }
  // Only its payload was checked: it has no rows() and rows_of(), and nothing is counted.
  bool is_packed() const { return is_packed_; }
  // Makes it an ordinary one. Returns false, with the loss noted, if its rows are not valid.
  bool unpack();
  Bytes stored() const { return stored_; }  // the payload
  std::size_t table_size() const { return table_size_; }
  Bytes rows() const { return rows_; }  // rows of all pieces, one after another
  // One for each stream's rows. If its rows are repeated, in part or in full, or break off, fewer or none are left.
  const std::vector<Piece>& pieces() const { return pieces_; }
  // The rows of a piece.
  Bytes rows_of(std::size_t piece) const { return rows_.subspan(places_[piece], pieces_[piece].rows_size); }
  // True if the pieces are the whole block.
  bool is_whole() const { return is_whole_; }
  // All its rows.
  const RowCount& counted() const { return counted_; }
  // Events that the stream of a piece lost, by the headers, between its previous part and the end of this one, and that
  // no LOST row of this one counts.
  std::uint64_t unnamed_losses(std::size_t piece) const { return unnamed_[piece]; }

 private:
  // A part of a stream that comes separately.
  struct Single {
    std::size_t before = 0;  // the index of the session's block after it
    StreamSpan span;
    OrdinalRange rows{0, UINT64_MAX};
  };

  void find_singles(std::uint32_t stream_id);
  bool open(Block* block);
  void check_single(const Single& single);
  bool load(Block* block);
  bool load_packed(const Block& block);
  bool continues_streams(const Block& block);
  Status load_plain(const Block& block);
  Status load_other(const Block& block);
  void begin_check();
  void check_rows();
  bool comes_by_itself(std::uint32_t stream) const;
  void leave_out(std::size_t piece, std::size_t at);
  void check_piece(std::size_t number, std::size_t at, bool is_cut);
  std::uint32_t number_of(std::size_t piece) const;
  static std::size_t leave_out_seen(Bytes rows, std::uint64_t expected, Piece* piece);
  std::uint64_t count_unnamed(std::size_t piece);
  void lose(const Block& block, const Status& why);
  void lose_piece(const Block& block, std::uint32_t number, const Piece& piece, const Status& why);
  void lose_rows(UnreadableRows rows, std::uint32_t stream, const Status& why);

  TraceData& trace_;
  SessionData& session_;
  BlockDecoder decoder_;
  LossTotals totals_;
  Wants wants_;
  bool keeps_packed_ = false;
  bool is_packed_ = false;
  std::size_t next_ = 0;
  std::vector<Single> singles_;  // in their order
  std::size_t next_single_ = 0;
  const Block* block_ = nullptr;
  std::vector<std::byte> plain_;  // for a block of plain rows: its payload, which is its rows
  std::vector<std::byte> decoded_;
  Bytes stored_;
  Bytes rows_;
  std::size_t table_size_ = 0;
  std::vector<Piece> pieces_;
  std::vector<std::size_t> places_;  // places of their rows
  std::vector<std::uint64_t> unnamed_;
  RowCount counted_;
  std::unordered_map<std::uint32_t, std::uint64_t> next_ordinals_;  // by stream
  bool is_whole_ = true;
};

}  // namespace evt
