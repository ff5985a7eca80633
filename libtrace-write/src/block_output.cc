#include "block_output.h"

#include "format-spec/src/crc32c.h"

namespace evt {

bool BlockOutput::write(std::uint16_t type, const void* payload, std::size_t size) {
  if (failed()) return false;
  scratch_.clear();
  scratch_.extend(EVT_BLOCK_HEADER_SIZE);
  scratch_.append(payload, size);
  scratch_.extend(padding_after(size));
  if (!scratch_.ok()) return no_memory(size);
  BlockHeader header;
  header.type = type;
  header.payload_size = header.raw_size = static_cast<std::uint32_t>(size);
  header.session_id = session_id_;
  header.block_no = next_block_no_;
  header.payload_crc = crc32c(0, payload, size);
  store_block_header(header, scratch_.data());
  return put(scratch_.data(), EVT_BLOCK_HEADER_SIZE, size);
}

bool BlockOutput::no_memory(std::size_t size) {
  set_error(&first_error_, EVT_CODE_MEMORY, "no memory for a block of %zu bytes", size);
  return false;
}

bool BlockOutput::write_events(std::uint8_t* block, std::uint16_t flags, EventsHeader events) {
  if (failed()) return false;
  const std::size_t size = events.rows_size;
  BlockHeader header;
  header.type = EVT_BLOCK_EVENTS;
  header.flags = flags;
  header.header_size = EVT_EVENTS_HEADER_SIZE;
  header.payload_size = header.raw_size = events.rows_size;
  header.session_id = session_id_;
  header.block_no = next_block_no_;
  header.payload_crc = crc32c(0, block + EVT_EVENTS_HEADER_SIZE, size);
  events.rows_crc = header.payload_crc;  // the rows are stored as they are
  store_block_header(header, block);
  store_events_header(events, block);
  memset(block + EVT_EVENTS_HEADER_SIZE + size, 0, padding_after(size));
  return put(block, EVT_EVENTS_HEADER_SIZE, size);
}

bool BlockOutput::put(std::uint8_t* block, std::size_t header_size, std::size_t payload_size) {
  seal_header(block, header_size);
  const std::size_t total = header_size + payload_size + padding_after(payload_size);
  if (!sink_.write(block, total, &first_error_)) return false;
  ++next_block_no_;
  bytes_written_ += total;
  return true;
}

}  // namespace evt
