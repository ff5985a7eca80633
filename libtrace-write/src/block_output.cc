#include "block_output.h"

namespace evt {

bool BlockOutput::write(std::uint16_t type, const void* payload, std::size_t size) {
  if (failed()) return false;
  std::uint8_t bytes[EVT_BLOCK_HEADER_SIZE];
  store_block_header(header_of_plain(type, payload, size, session_id_, next_block_no_), bytes);
  return put(bytes, sizeof bytes, payload, size);
}

bool BlockOutput::write_events(const std::uint8_t* rows, std::uint16_t flags, EventsHeader events) {
  if (failed()) return false;
  std::uint8_t bytes[EVT_EVENTS_HEADER_SIZE];
  BlockHeader header = header_of_plain(EVT_BLOCK_EVENTS, rows, events.rows_size, session_id_, next_block_no_);
  header.flags = flags;
  header.header_size = EVT_EVENTS_HEADER_SIZE;
  events.rows_crc = header.payload_crc;  // the rows are stored as they are
  store_block_header(header, bytes);
  store_events_header(events, bytes);
  return put(bytes, sizeof bytes, rows, events.rows_size);
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
