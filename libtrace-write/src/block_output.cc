#include "block_output.h"

#include "format-spec/src/crc32c.h"

namespace evt {

namespace {

// A larger one, of a single large event, is not worth the memory that compacting it takes for ever.
constexpr std::uint32_t kMostCompacted = 1 << 20;

}  // namespace

bool BlockOutput::use_compactor(const evt_compactor* compactor) {
  compactor_state_ = compactor->open();
  if (compactor_state_ == nullptr) return false;
  compactor_ = compactor;
  return true;
}

bool BlockOutput::write(std::uint16_t type, const void* payload, std::size_t size) {
  if (failed() || !write_due_index(type)) return false;
  if (type == EVT_BLOCK_TYPES && compactor_ != nullptr) {
    compactor_->learn(compactor_state_, static_cast<const std::uint8_t*>(payload), size);
  }
  std::uint8_t bytes[EVT_BLOCK_HEADER_SIZE];
  store_block_header(header_of_plain(type, payload, size, session_id_, next_block_no_), bytes);
  if (!put(bytes, sizeof bytes, {}, {static_cast<const std::uint8_t*>(payload), size})) return false;
  index_.note(type, sizeof bytes + size + padding_after(size));
  return true;
}

// Between other blocks, so that what it has to remember stays bounded.
bool BlockOutput::write_due_index(std::uint16_t next_type) {
  if (next_type == EVT_BLOCK_INDEX || !index_.is_due()) return true;
  const IndexLog::Bytes payload = index_.payload(0);
  return write(EVT_BLOCK_INDEX, payload.data, payload.size);
}

bool BlockOutput::write_events(const std::uint8_t* rows, std::uint16_t flags, EventsHeader events,
                               const PieceTableBytes* table) {
  if (failed() || !write_due_index(EVT_BLOCK_EVENTS)) return false;
  std::uint8_t bytes[EVT_EVENTS_HEADER_SIZE];
  events.rows_crc = crc32c(0, rows, events.rows_size);
  Compacted stored = {rows, events.rows_size, events.rows_size, EVT_LAYOUT_ROWS, EVT_CODEC_NONE};
  if (compactor_ != nullptr && compacting_ && events.rows_size <= kMostCompacted &&
      compactor_->compact(compactor_state_, rows, events.rows_size, events.row_count, &stored)) {
    events.layout = table != nullptr ? with_table(stored.layout) : stored.layout;
  }
  const Bytes front = table != nullptr ? Bytes{table->data, table->size} : Bytes{};
  const bool as_they_are = stored.payload == rows;
  BlockHeader header;
  header.type = EVT_BLOCK_EVENTS;
  header.codec = stored.codec;
  header.session_id = session_id_;
  header.block_no = next_block_no_;
  header.payload_size = static_cast<std::uint32_t>(front.size + stored.size);
  header.raw_size = static_cast<std::uint32_t>(front.size + stored.raw_size);
  header.payload_crc = as_they_are && front.size == 0
                           ? events.rows_crc
                           : crc32c(crc32c(0, front.data, front.size), stored.payload, stored.size);
  header.flags = flags;
  header.header_size = EVT_EVENTS_HEADER_SIZE;
  store_block_header(header, bytes);
  store_events_header(events, bytes);
  if (!put(bytes, sizeof bytes, front, {stored.payload, stored.size})) return false;
  const std::uint64_t size = sizeof bytes + header.payload_size + padding_after(header.payload_size);
  const Piece alone = piece_of(events);
  index_.note_events(size, stored.codec, events, table != nullptr ? table->pieces : &alone,
                     table != nullptr ? table->count : 1);
  return true;
}

void BlockOutput::close(evt_error* error) {
  if (compactor_state_ != nullptr) compactor_->close(compactor_state_);
  compactor_ = nullptr;
  compactor_state_ = nullptr;
  index_.close();
  sink_.close(error);
}

// The payload in two parts, of which the first may be empty.
bool BlockOutput::put(std::uint8_t* header, std::size_t header_size, Bytes front, Bytes payload) {
  seal_header(header, header_size);
  static const std::uint8_t kPadding[EVT_ALIGNMENT] = {};
  const std::size_t padding = padding_after(front.size + payload.size);
  const iovec parts[] = {{header, header_size},
                         {const_cast<std::uint8_t*>(front.data), front.size},
                         {const_cast<std::uint8_t*>(payload.data), payload.size},
                         {const_cast<std::uint8_t*>(kPadding), padding}};
  evt_error error;
  if (!sink_.write(parts, 4, &error)) {
    note(error);
    if (!try_again_ || !sink_.may_work_later()) fail(error);
    __atomic_store_n(&stalled_, true, __ATOMIC_RELAXED);
    return false;
  }
  if (stalled_) __atomic_store_n(&stalled_, false, __ATOMIC_RELAXED);
  ++next_block_no_;
  const std::size_t total = header_size + front.size + payload.size + padding;
  __atomic_store_n(&bytes_written_, bytes_written_ + total, __ATOMIC_RELAXED);
  return true;
}

bool BlockOutput::no_memory(std::size_t size) {
  evt_error error;
  set_error(&error, EVT_CODE_MEMORY, "no memory for a block of %zu bytes", size);
  fail(error);
  return false;
}

void BlockOutput::note(const evt_error& error) {
  if (met_error_) return;
  first_error_ = error;
  __atomic_store_n(&met_error_, true, __ATOMIC_RELEASE);
}

void BlockOutput::fail(const evt_error& error) {
  note(error);
  __atomic_store_n(&failed_, true, __ATOMIC_RELEASE);
}

}  // namespace evt
