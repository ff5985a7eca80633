#include "trace_output.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>
#include <string.h>

#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/row/row_writer.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

constexpr std::size_t kEnough = 1 << 20;

std::uint32_t crc_of(Bytes bytes) { return crc32c(0, bytes.data(), bytes.size()); }

std::uint8_t layout_of(Form form) { return form == Form::kColumns ? EVT_LAYOUT_COLUMNS : EVT_LAYOUT_ROWS; }

}  // namespace

TraceOutput::TraceOutput(const TakeBytes& take, std::uint64_t session_id, std::optional<Form> form)
    : take_(take), session_(session_id, out_), form_(form), frame_(std::make_unique<ColumnFrame>()) {}

void TraceOutput::begin_later(const SegmentRecord& segment, std::span<const SegmentStream> streams) {
  session_.begin_later(segment, streams);
  for (const SegmentStream& before : streams) streams_[before.id] = {before.next_ordinal, before.lost_total, 0};
}

void TraceOutput::add_metadata(std::uint16_t type, Bytes payload) {
  if (type == EVT_BLOCK_TYPES) frame_->encoder().learn(raw(payload.data()), payload.size());
  session_.add_metadata(type, payload);
}

void TraceOutput::put_copyable(TraceData& trace, SessionData& from) {
  std::vector<std::byte> payload;
  const auto is_damaged = [&](const Block& block) {
    std::uint32_t crc = 0;
    if (!trace.blocks.read_whole(block, &payload, &crc)) {
      trace.ledger.add(block, wrong_checksum("payload", crc, block.header.payload_crc).message());
      return true;
    }
    session_.add_copy(block.header, payload);
    if (out_.size() >= kEnough) flush();
    return false;
  };
  std::erase_if(from.copyable, is_damaged);
}

// Numbers the rows; `counted` has their counts by type, and their losses.
void TraceOutput::number(std::span<const Piece> pieces, const RowCount& counted) {
  pieces_.assign(pieces.begin(), pieces.end());
  auto loss = counted.losses().begin();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    Stream& stream = streams_[piece.stream_id];
    for (; loss != counted.losses().end() && loss->piece == i; ++loss) {
      saturating_add(&stream.lost, loss->count);
      session_.count_lost(piece.stream_id, loss->cause, loss->count);
    }
    piece.first_ordinal = stream.next_ordinal;
    piece.lost_total = stream.lost;
    stream.next_ordinal += piece.row_count;
  }
  counts_.clear();
  for (const std::uint16_t type : counted.types()) counts_.push_back({type, counted.rows_of(type)});
}

// `like`: has the layout, and the bound of the rows' times.
EventsHeader TraceOutput::header(const EventsHeader& like, std::uint16_t clock, std::size_t rows_size,
                                 std::uint32_t rows_crc) {
  const bool multiplexed = is_multiplexed(like.layout);
  const auto count = static_cast<std::uint32_t>(pieces_.size());
  EventsHeader events = multiplexed ? multiplexed_header(pieces_.data(), count, clock, like.bound_ticks)
                                    : header_of(pieces_.front(), clock, like.bound_ticks);
  events.layout = like.layout;
  events.rows_size = static_cast<std::uint32_t>(rows_size);
  events.rows_crc = rows_crc;
  events.stream_seq = multiplexed ? 0 : streams_[events.stream_id].blocks++;
  table_.clear();
  if (!multiplexed) return events;
  table_.resize(EVT_PIECE_TABLE_HEAD + pieces_.size() * kMaxPiece);
  table_.resize(store_piece_table(events, pieces_.data(), count, raw(table_.data())));
  return events;
}

void TraceOutput::put_stored(const SourceBlocks& from, std::span<const Piece> pieces, std::uint16_t clock) {
  const Block& block = from.block();
  const bool columns = without_table(block.events.layout) == EVT_LAYOUT_COLUMNS;
  const bool plain = !columns && block.header.codec == EVT_CODEC_NONE;
  const bool packed = columns && block.header.codec != EVT_CODEC_NONE;
  if (form_ && !(*form_ == Form::kColumns ? packed : plain)) return put_rows(block, pieces, from.rows(), clock);
  number(pieces, from.counted());
  const bool multiplexed = is_multiplexed(block.events.layout);
  const EventsHeader events = header(block.events, clock, block.events.rows_size, block.events.rows_crc);
  StoredRows stored;
  stored.flags = block.header.flags & EVT_FLAG_UNSORTED;
  stored.codec = block.header.codec;
  const Bytes coded = from.stored().subspan(from.table_size());
  stored.raw_size = static_cast<std::uint32_t>(block.header.raw_size - from.table_size() + table_.size());
  if (!multiplexed) stored.crc = block.header.payload_crc;
  put(events, stored, coded);
}

void TraceOutput::put_rows(const Block& like, std::span<const Piece> pieces, Bytes rows, std::uint16_t clock) {
  counted_.clear();
  std::size_t at = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Piece piece = pieces[i];
    counted_.add(i, rows.subspan(at, piece.rows_size), like.events.latest_possible(), &piece);
    at += piece.rows_size;
  }
  number(pieces, counted_);
  const bool multiplexed = pieces_.size() > 1;
  std::uint8_t layout = form_ ? layout_of(*form_) : without_table(like.events.layout);
  StoredRows stored;
  stored.flags = like.header.flags & EVT_FLAG_UNSORTED;
  Bytes coded = rows;
  std::uint32_t count = 0;
  for (const Piece& piece : pieces_) count += piece.row_count;
  if (layout == EVT_LAYOUT_COLUMNS && frame_->make(raw(rows.data()), rows.size(), count)) {
    stored.codec = EVT_CODEC_ZSTD;
    stored.raw_size = static_cast<std::uint32_t>(frame_->raw_size());
    coded = {reinterpret_cast<const std::byte*>(frame_->bytes()), frame_->size()};
  } else {
    layout = EVT_LAYOUT_ROWS;
    stored.raw_size = static_cast<std::uint32_t>(rows.size());
  }
  EventsHeader shape;
  shape.layout = multiplexed ? with_table(layout) : layout;
  shape.bound_ticks = like.events.bound_ticks;
  const EventsHeader events = header(shape, clock, rows.size(), crc_of(rows));
  stored.raw_size += static_cast<std::uint32_t>(table_.size());
  put(events, stored, coded);
}

void TraceOutput::put(const EventsHeader& events, StoredRows stored, Bytes payload) {
  stored.size = static_cast<std::uint32_t>(table_.size() + payload.size());
  if (!table_.empty() || stored.crc == 0) {
    stored.crc = crc32c(crc_of(table_), payload.data(), payload.size());
  }
  session_.add_events(events, stored, counts_,
                      is_multiplexed(events.layout) ? std::span<const Piece>(pieces_) : std::span<const Piece>());
  out_.insert(out_.end(), table_.begin(), table_.end());
  out_.insert(out_.end(), payload.begin(), payload.end());
  out_.resize(out_.size() + padding_after(stored.size));
  if (out_.size() >= kEnough) flush();
}

void TraceOutput::put_lost(std::uint32_t stream, std::uint16_t clock, std::uint64_t first_ticks,
                           std::uint64_t last_ticks, std::uint64_t count, std::uint16_t cause) {
  std::byte row[RowWriter::kLostSize];
  RowWriter(raw(row)).lost(0, cause, count, last_ticks - std::min(first_ticks, last_ticks));
  Piece piece;
  piece.stream_id = stream;
  piece.row_count = 1;
  piece.rows_size = sizeof row;
  piece.base_ticks = piece.first_ticks = piece.last_ticks = last_ticks;
  put_rows(Block(), {&piece, 1}, row, clock);
}

void TraceOutput::end() {
  session_.end();
  flush();
}

bool TraceOutput::flush() {
  const int error = status_.ok() && !out_.empty() ? take_(out_) : 0;
  if (error != 0) status_ = Status(Code::kIo, fmt::format("cannot write: {}", strerror(error)));
  out_.clear();
  return status_.ok();
}

}  // namespace evt
