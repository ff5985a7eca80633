#include "session_maker.h"

#include <algorithm>

#include "format-spec/src/crc32c.h"
#include "raw_bytes.h"

namespace evt {
namespace {

constexpr std::size_t kMostIndexedStreams = 100'000;  // as the writer does

}  // namespace

SessionMaker::SessionMaker(std::uint64_t session_id, std::vector<std::byte>& out) : session_id_(session_id), out_(out) {
  index_.open();
}

void SessionMaker::add_metadata(std::uint16_t type, Bytes payload) {
  metadata_.push_back({type, {payload.begin(), payload.end()}});
  add(type, payload);
}

void SessionMaker::add(std::uint16_t type, Bytes payload) {
  put_due_index();
  put(type, payload);
}

void SessionMaker::put(std::uint16_t type, Bytes payload) {
  const std::size_t total = EVT_BLOCK_HEADER_SIZE + payload.size() + padding_after(payload.size());
  const std::size_t at = out_.size();
  out_.resize(at + total);
  std::byte* const head = out_.data() + at;
  store_block_header(header_of_plain(type, payload.data(), payload.size(), session_id_, next_block_no_++), raw(head));
  seal_header(raw(head), EVT_BLOCK_HEADER_SIZE);
  std::copy(payload.begin(), payload.end(), head + EVT_BLOCK_HEADER_SIZE);
  size_ += total;
  index_.note(type, total);
}

void SessionMaker::put_due_index() {
  if (!index_.is_due()) return;
  const IndexLog::Bytes payload = index_.payload(0);
  put(EVT_BLOCK_INDEX, {reinterpret_cast<const std::byte*>(payload.data), payload.size});
}

void SessionMaker::repeat_metadata() {
  for (const Metadata& block : metadata_) add(block.type, block.payload);
  repeated_at_ = size_;
}

void SessionMaker::add_events(const EventsHeader& events, const StoredRows& stored, std::span<const TypeCount> counts,
                              std::span<const Piece> pieces) {
  if (size_ - repeated_at_ >= EVT_REPEAT_METADATA_EVERY) repeat_metadata();
  put_due_index();
  BlockHeader header;
  header.type = EVT_BLOCK_EVENTS;
  header.flags = stored.flags;
  header.header_size = EVT_EVENTS_HEADER_SIZE;
  header.codec = stored.codec;
  header.payload_size = stored.size;
  header.raw_size = stored.raw_size;
  header.session_id = session_id_;
  header.block_no = next_block_no_++;
  header.payload_crc = stored.crc;
  const std::size_t at = out_.size();
  out_.resize(at + EVT_EVENTS_HEADER_SIZE);
  std::uint8_t* const head = raw(out_.data() + at);
  store_block_header(header, head);
  store_events_header(events, head);
  seal_header(head, EVT_EVENTS_HEADER_SIZE);
  const std::uint64_t total = EVT_EVENTS_HEADER_SIZE + std::uint64_t{stored.size} + padding_after(stored.size);
  size_ += total;

  if (TypeCounts* const noted = index_.begin_counts()) {
    for (const TypeCount& type : counts) {
      noted->count(static_cast<std::uint16_t>(type.number));
      noted->rows[type.number] = static_cast<std::uint32_t>(type.rows);
    }
  }
  const Piece alone = piece_of(events);
  const std::span<const Piece> all = pieces.empty() ? std::span(&alone, 1) : pieces;
  index_.note_events(total, stored.codec, events, all.data(), static_cast<std::uint32_t>(all.size()));
  for (const Piece& piece : all) note(piece);
}

// In the table at the end; null when that has enough of them.
IndexedStream* SessionMaker::stream(std::uint32_t id) {
  const auto known = streams_.find(id);
  if (known != streams_.end()) return &known->second;
  if (streams_.size() >= kMostIndexedStreams) return nullptr;
  IndexedStream& stream = streams_[id];
  stream.id = id;
  return &stream;
}

void SessionMaker::note(const Piece& piece) {
  rows_ += piece.row_count;
  IndexedStream* const known = stream(piece.stream_id);
  if (known == nullptr) return;
  const bool first = known->rows == 0;
  known->rows += piece.row_count;
  known->first_ticks = first ? piece.first_ticks : std::min(known->first_ticks, piece.first_ticks);
  known->last_ticks = first ? piece.last_ticks : std::max(known->last_ticks, piece.last_ticks);
}

void SessionMaker::count_lost(std::uint32_t id, std::uint16_t cause, std::uint64_t count) {
  lost_ += count;
  IndexedStream* const known = stream(id);
  if (known != nullptr && cause < EVT_LOST_CAUSES) known->lost[cause] += count;
}

void SessionMaker::put_last_index() {
  if (!index_.is_open() || (index_.latest_size() == 0 && size_ < EVT_INDEX_AT_END)) return index_.close();
  std::vector<IndexedStream> streams;
  for (const auto& [id, stream] : streams_) streams.push_back(stream);
  Buffer message;
  append_index_info(message, streams.data(), static_cast<std::uint32_t>(streams.size()));
  const IndexLog::Bytes entries = index_.payload(message.size());
  Buffer payload;
  payload.append(entries.data, entries.size);
  payload.append(message.data(), message.size());
  if (!message.ok() || !payload.ok()) return index_.close();
  put(EVT_BLOCK_INDEX, bytes_of(payload));
}

void SessionMaker::end() {
  if (size_ - repeated_at_ >= EVT_REPEAT_METADATA_AT_END) repeat_metadata();
  put_due_index();
  put_last_index();
  TrailerFacts trailer;
  trailer.index_distance = index_.is_open() ? index_.latest_size() : 0;
  trailer.session_size = size_ + EVT_BLOCK_HEADER_SIZE + EVT_TRAILER_FIXED_SIZE;
  trailer.rows = rows_;
  trailer.lost = lost_;
  Buffer payload;
  append_trailer(payload, trailer);
  put(EVT_BLOCK_TRAILER, bytes_of(payload));
}

}  // namespace evt
