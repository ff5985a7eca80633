#include "session_maker.h"

#include <evt/saturating_add.h>

#include <algorithm>

namespace evt {
namespace {

constexpr std::size_t kMaxIndexedStreams = 100'000;  // like the writer

}  // namespace

SessionMaker::SessionMaker(std::uint64_t session_id, std::vector<std::byte>& out) : out_(out), encoder_(put, this) {
  encoder_.begin(session_id, true);
}

void SessionMaker::begin_later(const SegmentRecord& segment, std::span<const SegmentStream> streams) {
  encoder_.begin_later(segment.number, segment.first_block_no, segment.rows_before, segment.lost_before);
  rows_ = segment.rows_before;
  lost_ = segment.lost_before;
  for (const SegmentStream& before : streams) {
    if (IndexedStream* const known = stream(before.id)) known->rows = before.next_ordinal;
  }
}

// Memory either suffices or throws, so a block is always taken. The caller adds the rows of EVENTS blocks.
bool SessionMaker::put(void* self, const BlockFront& front, const SessionEncoder::Part* parts, std::size_t count) {
  std::vector<std::byte>& out = static_cast<SessionMaker*>(self)->out_;
  const auto append = [&out](const std::uint8_t* bytes, std::size_t size) {
    const auto* const begin = reinterpret_cast<const std::byte*>(bytes);
    out.insert(out.end(), begin, begin + size);
  };
  append(front.bytes, front.size);
  if (parts[count - 1].data == nullptr) return true;
  for (std::size_t i = 0; i < count; ++i) append(parts[i].data, parts[i].size);
  out.resize(out.size() + padding_after(parts[0].size));
  return true;
}

void SessionMaker::add_metadata(std::uint16_t type, Bytes payload) {
  metadata_.push_back({type, {payload.begin(), payload.end()}});
  add(type, payload);
}

void SessionMaker::add(std::uint16_t type, Bytes payload) { encoder_.write(type, payload.data(), payload.size()); }

void SessionMaker::repeat_metadata() {
  const std::uint64_t from = encoder_.bytes();
  for (const Metadata& block : metadata_) add(block.type, block.payload);
  encoder_.repeated(from);
}

void SessionMaker::add_events(const EventsHeader& events, const StoredRows& stored, std::span<const TypeCount> counts,
                              std::span<const Piece> pieces) {
  if (encoder_.repeat_is_due()) repeat_metadata();
  if (TypeCounts* const noted = encoder_.begin_counts()) {
    for (const TypeCount& type : counts) {
      noted->count(static_cast<std::uint16_t>(type.number));
      noted->rows[type.number] = static_cast<std::uint32_t>(type.rows);
    }
  }
  const Piece alone = piece_of(events);
  const std::span<const Piece> all = pieces.empty() ? std::span(&alone, 1) : pieces;
  encoder_.write_events(events, stored, {}, {nullptr, stored.size}, all.data(), static_cast<std::uint32_t>(all.size()));
  for (const Piece& piece : all) note(piece);
}

// In the table at the end; null when that has enough of them.
IndexedStream* SessionMaker::stream(std::uint32_t id) {
  const auto known = streams_.find(id);
  if (known != streams_.end()) return &known->second;
  if (streams_.size() >= kMaxIndexedStreams) return nullptr;
  IndexedStream& stream = streams_[id];
  stream.id = id;
  stream.first_ticks = UINT64_MAX;  // no rows yet
  return &stream;
}

void SessionMaker::note(const Piece& piece) {
  rows_ += piece.row_count;
  IndexedStream* const known = stream(piece.stream_id);
  if (known == nullptr) return;
  known->rows += piece.row_count;
  known->first_ticks = std::min(known->first_ticks, piece.first_ticks);
  known->last_ticks = std::max(known->last_ticks, piece.last_ticks);
}

void SessionMaker::count_lost(std::uint32_t id, std::uint16_t cause, std::uint64_t count) {
  saturating_add(&lost_, count);
  IndexedStream* const known = stream(id);
  if (known != nullptr && cause < EVT_LOST_CAUSES) saturating_add(&known->lost[cause], count);
}

void SessionMaker::end() {
  if (encoder_.last_repeat_is_due()) repeat_metadata();
  std::vector<IndexedStream> streams;
  for (const auto& [id, stream] : streams_) streams.push_back(stream);
  encoder_.end(streams.data(), static_cast<std::uint32_t>(streams.size()), rows_, lost_);
}

}  // namespace evt
