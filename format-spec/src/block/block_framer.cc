#include "block_framer.h"

#include "crc32c.h"

namespace evt {

BlockFramer BlockFramer::of_ring(std::uint64_t session_id) {
  BlockFramer framer(session_id);
  framer.next_block_no_ = EVT_BLOCK_NO_RECOVERED;
  framer.flags_ = EVT_FLAG_RECOVERED;
  return framer;
}

BlockFront BlockFramer::front(std::uint16_t type, const void* payload, std::size_t size, std::uint16_t flags) const {
  BlockHeader header;
  header.type = type;
  header.flags = flags;
  if (continued_ && type == EVT_BLOCK_SESSION) header.flags |= EVT_FLAG_CONTINUED;
  header.payload_size = header.raw_size = static_cast<std::uint32_t>(size);
  header.payload_crc = crc32c(0, payload, size);
  return front(header, nullptr);
}

BlockFront BlockFramer::front(const EventsHeader& events, const StoredRows& stored) const {
  BlockHeader header;
  header.type = EVT_BLOCK_EVENTS;
  header.flags = stored.flags;
  header.header_size = EVT_EVENTS_HEADER_SIZE;
  header.codec = stored.codec;
  header.payload_size = stored.size;
  header.raw_size = stored.raw_size;
  header.payload_crc = stored.crc;
  return front(header, &events);
}

BlockFront BlockFramer::front_of_copy(const BlockHeader& original) const {
  BlockHeader header;
  header.type = original.type;
  header.flags = original.flags & EVT_FLAG_COPYABLE;
  header.codec = original.codec;
  header.payload_size = original.payload_size;
  header.raw_size = original.raw_size;
  header.payload_crc = original.payload_crc;
  return front(header, nullptr);
}

BlockFront BlockFramer::front(BlockHeader header, const EventsHeader* events) const {
  header.flags |= flags_;
  header.session_id = session_id_;
  header.block_no = next_block_no_;
  BlockFront front;
  front.size = header.header_size;
  replace(header, events, front.bytes);
  return front;
}

void BlockFramer::replace(const BlockHeader& header, const EventsHeader* events, std::uint8_t* bytes) {
  store_block_header(header, bytes);
  if (events != nullptr) store_events_header(*events, bytes);
  seal_header(bytes, header.header_size);
}

void append_block(Buffer& out, const BlockFront& front, const void* payload, std::size_t size) {
  out.append(front.bytes, front.size);
  out.append(payload, size);
  out.extend(padding_after(size));
}

}  // namespace evt
