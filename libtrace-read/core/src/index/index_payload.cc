#include "index_payload.h"

#include <evt/format.h>
#include <fmt/core.h>

#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/base/damaged.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"

namespace evt {
namespace {

// Claims that no block could satisfy are not passed on.
constexpr std::uint64_t kMaxRows = std::uint64_t{EVT_MAX_EVENTS_PAYLOAD} / RowReader::kMinRow;
constexpr std::uint64_t kMaxSize = std::uint64_t{EVT_MAX_EVENTS_PAYLOAD} + EVT_BLOCK_HEADER_MAX + EVT_ALIGNMENT;

// A number that has to fit into less than 64 bits.
template <typename Number>
bool narrow(std::uint64_t value, Number* out) {
  *out = static_cast<Number>(value);
  return *out == value;
}

}  // namespace

bool TrailerClaims::parse(Bytes payload) {
  Cursor in(payload);
  const std::uint16_t fixed_size = in.u16();
  in.bytes(6);
  session_size = in.u64();
  index_distance = in.u64();
  rows = rows_so_far = in.u64();
  lost = lost_so_far = in.u64();
  if (fixed_size > payload.size()) return false;
  if (fixed_size < EVT_TRAILER_SEGMENT_SIZE) return in.ok() && fixed_size >= EVT_TRAILER_FIXED_SIZE;
  rows_so_far = in.u64();
  lost_so_far = in.u64();
  return in.ok();
}

Block IndexEntry::block() const {
  const Piece& first = pieces.front();
  Block block;
  block.verified = false;
  block.offset = offset;
  block.header.type = EVT_BLOCK_EVENTS;
  block.header.codec = codec;
  block.header.payload_size = static_cast<std::uint32_t>(size - block.header.header_size);  // for where it ends
  block.events.stream_id = first.stream_id;
  block.events.layout = layout;
  block.events.clock_id = clock_id;
  block.events.first_ticks = first_ticks;
  block.events.last_ticks = last_ticks;
  block.events.row_count = static_cast<std::uint32_t>(rows);
  block.events.first_ordinal = first.first_ordinal;
  block.events.lost_total = first.lost_total;
  return block;
}

bool IndexEntry::has_rows_of(const Block& block) const {
  const EventsHeader& events = block.events;
  const Piece& piece = pieces.front();
  if (is_multiplexed(events.layout) && mark_of(pieces) != block.pieces_mark) return false;
  return layout == events.layout && codec == block.header.codec && clock_id == events.clock_id &&
         first_ticks == events.first_ticks && last_ticks == events.last_ticks && piece.stream_id == events.stream_id &&
         rows == events.row_count && piece.first_ordinal == events.first_ordinal &&
         piece.lost_total == events.lost_total;
}

const IndexEntry* IndexEntryReader::next() {
  if (left_ == 0 || !ok_) return nullptr;
  Cursor in(in_.bytes_of(1, in_.number()));
  ok_ = in_.ok() && read(in);
  if (!ok_) return nullptr;
  --left_;
  at_ += entry_.size;
  return &entry_;
}

// Bytes after the known fields belong to a later version.
bool IndexEntryReader::read(Cursor& in) {
  const std::uint64_t type = in.number();
  entry_.offset = at_;
  entry_.size = in.number();
  entry_.rows = 0;
  entry_.pieces.clear();
  entry_.counts.clear();
  if (!in.ok() || !narrow(type, &entry_.type) || entry_.size > UINT64_MAX - at_) return false;
  return entry_.type != EVT_BLOCK_EVENTS ? entry_.size >= EVT_BLOCK_HEADER_SIZE : read_events(in);
}

bool IndexEntryReader::read_events(Cursor& in) {
  const bool fits = narrow(in.number(), &entry_.layout) && narrow(in.number(), &entry_.codec) &&
                    narrow(in.number(), &entry_.clock_id);
  entry_.first_ticks = last_first_ticks_ += unfold(in.number());
  entry_.last_ticks = entry_.first_ticks + in.number();
  if (!fits || entry_.last_ticks < entry_.first_ticks) return false;
  if (entry_.size < EVT_EVENTS_HEADER_SIZE || entry_.size > kMaxSize) return false;
  return read_pieces(in) && read_counts(in) && in.ok();
}

bool IndexEntryReader::read_pieces(Cursor& in) {
  const std::uint64_t pieces = in.number();
  for (std::uint64_t i = 0; i < pieces && in.ok(); ++i) {
    Piece piece;
    piece.first_ticks = entry_.first_ticks;
    piece.last_ticks = entry_.last_ticks;
    if (!narrow(in.number(), &piece.stream_id) || !narrow(in.number(), &piece.row_count)) return false;
    piece.first_ordinal = in.number();
    piece.lost_total = in.number();
    entry_.rows += piece.row_count;
    entry_.pieces.push_back(piece);
  }
  const bool plain = entry_.layout == EVT_LAYOUT_ROWS && entry_.codec == EVT_CODEC_NONE;
  const std::uint64_t most = plain ? (entry_.size - EVT_EVENTS_HEADER_SIZE) / RowReader::kMinRow : kMaxRows;
  // A later version's layout may have rows of several streams, too.
  const bool right_number = entry_.layout > EVT_LAYOUT_COLUMNS || pieces == 1;
  return pieces > 0 && right_number && entry_.rows <= most;
}

bool IndexEntryReader::read_counts(Cursor& in) {
  const std::uint64_t types = in.number();
  std::uint64_t type = 0;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < types && in.ok(); ++i) {
    type += unfold(in.number());
    const std::uint64_t rows = in.number();
    if (type > UINT16_MAX || rows > entry_.rows) return false;
    sum += rows;
    entry_.counts.push_back({static_cast<std::uint32_t>(type), rows});
  }
  return types == 0 || sum == entry_.rows;
}

Status IndexPayload::parse() {
  Cursor in(bytes);
  const std::uint16_t fixed_size = in.u16();
  in.u16();
  head.entry_count = in.u32();
  head.previous_distance = in.u64();
  head.covered = in.u64();
  head.entries_size = in.u32();
  head.info_size = in.u32();
  if (!in.ok() || fixed_size < EVT_INDEX_FIXED_SIZE) return damaged("an INDEX block that is too short");
  Cursor parts(bytes);
  parts.bytes(fixed_size);
  entries = parts.bytes(head.entries_size);
  info = parts.bytes(head.info_size);
  if (!parts.ok()) return damaged("an INDEX block whose parts do not fit it");
  if (head.covered > block.offset) return damaged("an INDEX block that describes more than what is before it");
  IndexEntryReader reader = read();
  std::uint32_t met = 0;
  while (reader.next() != nullptr) {
    if (reader.at() > block.offset) return damaged(fmt::format("entry {} of an INDEX block reaches over it", met));
    ++met;
  }
  if (!reader.ok()) return damaged(fmt::format("entry {} of an INDEX block makes no sense", met));
  if (reader.at() != block.offset) {
    return damaged(
        fmt::format("an INDEX block describes {} bytes, of {} before it", reader.at() - begin(), head.covered));
  }
  return {};
}

}  // namespace evt
