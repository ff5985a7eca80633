#include "block_output.h"

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
  if (!put(bytes, sizeof bytes, payload, size)) return false;
  index_.note(type, sizeof bytes + size + padding_after(size));
  return true;
}

// Between other blocks, so that what it has to remember stays bounded.
bool BlockOutput::write_due_index(std::uint16_t next_type) {
  if (next_type == EVT_BLOCK_INDEX || !index_.is_due()) return true;
  const IndexLog::Bytes payload = index_.payload(0);
  return write(EVT_BLOCK_INDEX, payload.data, payload.size);
}

bool BlockOutput::write_events(const std::uint8_t* rows, std::uint16_t flags, EventsHeader events) {
  if (failed() || !write_due_index(EVT_BLOCK_EVENTS)) return false;
  std::uint8_t bytes[EVT_EVENTS_HEADER_SIZE];
  BlockHeader header = header_of_plain(EVT_BLOCK_EVENTS, rows, events.rows_size, session_id_, next_block_no_);
  events.rows_crc = header.payload_crc;
  Compacted stored = {rows, events.rows_size, events.rows_size, EVT_LAYOUT_ROWS, EVT_CODEC_NONE};
  if (compactor_ != nullptr && compacting_ && events.rows_size <= kMostCompacted &&
      compactor_->compact(compactor_state_, rows, events.rows_size, events.row_count, &stored)) {
    header = header_of_plain(EVT_BLOCK_EVENTS, stored.payload, stored.size, session_id_, next_block_no_);
    header.raw_size = stored.raw_size;
    header.codec = stored.codec;
    events.layout = stored.layout;
  }
  header.flags = flags;
  header.header_size = EVT_EVENTS_HEADER_SIZE;
  store_block_header(header, bytes);
  store_events_header(events, bytes);
  if (!put(bytes, sizeof bytes, stored.payload, stored.size)) return false;
  index_.note_events(sizeof bytes + stored.size + padding_after(stored.size), stored.codec, events);
  return true;
}

void BlockOutput::close(evt_error* error) {
  if (compactor_state_ != nullptr) compactor_->close(compactor_state_);
  compactor_ = nullptr;
  compactor_state_ = nullptr;
  index_.close();
  sink_.close(error);
}

bool BlockOutput::put(std::uint8_t* header, std::size_t header_size, const void* payload, std::size_t payload_size) {
  seal_header(header, header_size);
  static const std::uint8_t kPadding[EVT_ALIGNMENT] = {};
  const iovec parts[] = {{header, header_size},
                         {const_cast<void*>(payload), payload_size},
                         {const_cast<std::uint8_t*>(kPadding), padding_after(payload_size)}};
  evt_error error;
  if (!sink_.write(parts, 3, &error)) {
    note(error);
    if (!try_again_ || !sink_.may_work_later()) fail(error);
    __atomic_store_n(&stalled_, true, __ATOMIC_RELAXED);
    return false;
  }
  if (stalled_) __atomic_store_n(&stalled_, false, __ATOMIC_RELAXED);
  ++next_block_no_;
  const std::size_t total = header_size + payload_size + padding_after(payload_size);
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
