#include "session_encoder.h"

#include "metadata_records.h"

namespace evt {

void SessionEncoder::begin(std::uint64_t session_id, bool with_index) {
  framer_ = BlockFramer(session_id);
  if (with_index) index_.open();
}

bool SessionEncoder::put(const BlockFront& front, const Part* parts, std::size_t count, std::uint64_t* total) {
  if (!put_block_(context_, front, parts, count)) return false;
  framer_.count();
  std::size_t payload = 0;
  for (std::size_t i = 0; i < count; ++i) payload += parts[i].size;
  *total = front.size + payload + padding_after(payload);
  __atomic_store_n(&bytes_, bytes_ + *total, __ATOMIC_RELAXED);
  return true;
}

bool SessionEncoder::put_plain(std::uint16_t type, const void* payload, std::size_t size, std::uint16_t flags) {
  return put_other(framer_.front(type, payload, size, flags), type, payload, size);
}

// Any but EVENTS.
bool SessionEncoder::put_other(const BlockFront& front, std::uint16_t type, const void* payload, std::size_t size) {
  const Part part = {static_cast<const std::uint8_t*>(payload), size};
  std::uint64_t total = 0;
  if (!put(front, &part, 1, &total)) return false;
  index_.note(type, total);
  if (is_metadata(type)) metadata_ += total;
  return true;
}

// Called between other blocks, so that the index stays bounded in memory.
bool SessionEncoder::put_due_index() {
  if (!index_.is_due()) return true;
  const IndexLog::Bytes payload = index_.payload(0);
  return put_plain(EVT_BLOCK_INDEX, payload.data, payload.size);
}

bool SessionEncoder::write(std::uint16_t type, const void* payload, std::size_t size) {
  return put_due_index() && put_plain(type, payload, size);
}

bool SessionEncoder::write_copy(const BlockHeader& original, const void* payload) {
  return put_due_index() && put_other(framer_.front_of_copy(original), original.type, payload, original.payload_size);
}

bool SessionEncoder::write_events(const EventsHeader& events, const StoredRows& stored, Part table, Part rows,
                                  const Piece* pieces, std::uint32_t count) {
  if (!put_due_index()) return false;
  const Part parts[] = {table, rows};
  std::uint64_t total = 0;
  if (!put(framer_.front(events, stored), parts, 2, &total)) return false;
  index_.note_events(total, stored.codec, events, pieces, count);
  return true;
}

bool SessionEncoder::put_last_index(const IndexedStream* streams, std::uint32_t count) {
  const bool is_tiny = index_.latest_size() == 0 && segment_bytes() < EVT_INDEX_AT_END;
  if (is_tiny) return true;  // the next segment may have one
  Buffer message;
  Buffer payload;
  if (index_.is_open() && (streams != nullptr || count == 0)) {
    append_index_info(message, streams, count);
    const IndexLog::Bytes entries = index_.payload(message.size());
    payload.append(entries.data, entries.size);
    payload.append(message.data(), message.size());
  }
  if (payload.size() == 0 || !message.ok() || !payload.ok()) {
    index_.close();
    return true;
  }
  return put_plain(EVT_BLOCK_INDEX, payload.data(), payload.size());
}

void SessionEncoder::begin_segment(std::uint64_t rows_before, std::uint64_t lost_before) {
  framer_.begin_segment();
  index_.begin_again();
  ++segment_;
  segment_at_ = repeated_at_ = bytes();
  metadata_ = 0;
  rows_before_ = rows_before;
  lost_before_ = lost_before;
}

void SessionEncoder::begin_later(std::uint64_t segment, std::uint64_t first_block_no, std::uint64_t rows_before,
                                 std::uint64_t lost_before) {
  begin_segment(rows_before, lost_before);
  framer_.begin_at(first_block_no);
  segment_ = segment;
}

bool SessionEncoder::end(const IndexedStream* streams, std::uint32_t count, std::uint64_t rows, std::uint64_t lost,
                         std::uint16_t flags) {
  if (!put_due_index() || !put_last_index(streams, count)) return false;
  TrailerRecord trailer;
  trailer.continued = segment_ > 0;
  trailer.index_distance = index_.is_open() ? index_.latest_size() : 0;
  trailer.session_size =
      segment_bytes() + EVT_BLOCK_HEADER_SIZE + (trailer.continued ? EVT_TRAILER_SEGMENT_SIZE : EVT_TRAILER_FIXED_SIZE);
  trailer.rows = rows - rows_before_;
  trailer.lost = lost - lost_before_;
  trailer.rows_so_far = rows;
  trailer.lost_so_far = lost;
  Buffer payload;
  append_trailer(payload, trailer);
  return payload.ok() && put_plain(EVT_BLOCK_TRAILER, payload.data(), payload.size(), flags);
}

}  // namespace evt
