// A session put together from payloads, with right checksums whatever the payloads are: what a fuzzer alone would
// hardly come up with.
#pragma once

#include <evt/little_endian.h>

#include <string>
#include <string_view>

#include "format-spec/src/base/buffer.h"
#include "format-spec/src/block/block_header.h"
#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/session/metadata_records.h"
#include "tests/support/row_sizes.h"

namespace fuzz {

inline constexpr std::uint64_t kSessionId = 0x4602'0100'aabb'ccdd;

inline std::uint8_t* raw(std::string& bytes) { return reinterpret_cast<std::uint8_t*>(bytes.data()); }
inline const std::uint8_t* raw(std::string_view bytes) { return reinterpret_cast<const std::uint8_t*>(bytes.data()); }
inline std::string_view text_of(const evt::Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

inline std::string le32(std::uint32_t value) {
  std::string bytes(sizeof value, '\0');
  evt_store_u32(raw(bytes), value);
  return bytes;
}

// A row with a short header.
inline std::string row(std::uint32_t delta, std::uint16_t type, std::string_view payload) {
  std::string bytes(evt::testing::kRowHeader, '\0');
  const std::uint64_t size = bytes.size() + payload.size();
  evt_store_u64(raw(bytes), delta | std::uint64_t{type} << 32 | size << 48);
  return bytes.append(payload);
}

// Payloads of the blocks with which a session begins.
inline std::string session_payload() {
  evt_session_info info = {};
  info.program = "fuzz";
  evt_store_u64(info.uuid + 8, kSessionId);
  evt::Buffer out;
  evt::append_session(out, info, 0);
  return std::string(text_of(out));
}
inline std::string clock_payload(std::uint16_t id) {
  evt::ClockRecord clock;
  clock.id = id;
  clock.hz = 1'000'000'000;
  evt::Buffer out;
  evt::append_clock(out, clock, {});
  return std::string(text_of(out));
}
// Records of one block, each begun by `append`.
template <typename Append>
std::string records_payload(std::uint32_t count, Append append) {
  evt::Buffer out;
  for (std::uint32_t i = 0; i < count; ++i) append(out, i);
  return le32(count).append(text_of(out));
}

// The blocks of a session, numbered as they are added.
class Blocks {
 public:
  // Fills in what is implied: sizes, checksum, session and number. `header` has the rest.
  void add(evt::BlockHeader header, const evt::EventsHeader* events, std::string_view payload) {
    header.header_size = events != nullptr ? EVT_EVENTS_HEADER_SIZE : EVT_BLOCK_HEADER_SIZE;
    header.payload_size = static_cast<std::uint32_t>(payload.size());
    if (header.codec == EVT_CODEC_NONE) header.raw_size = header.payload_size;
    header.payload_crc = evt::crc32c(0, payload.data(), payload.size());
    header.session_id = kSessionId;
    if (header.block_no != EVT_BLOCK_NO_RECOVERED) header.block_no = next_no_++;
    std::string bytes(header.header_size, '\0');
    evt::store_block_header(header, raw(bytes));
    if (events != nullptr) evt::store_events_header(*events, raw(bytes));
    evt::seal_header(raw(bytes), bytes.size());
    bytes_.append(bytes).append(payload).append(evt::padding_after(payload.size()), '\0');
  }
  void add(std::uint16_t type, std::string_view payload) {
    evt::BlockHeader header;
    header.type = type;
    add(header, nullptr, payload);
  }
  // Rows as they are; `events` has their stream and their times.
  void add_rows(evt::EventsHeader events, std::string_view rows) {
    evt::BlockHeader header;
    header.type = EVT_BLOCK_EVENTS;
    events.rows_size = static_cast<std::uint32_t>(rows.size());
    events.rows_crc = evt::crc32c(0, rows.data(), rows.size());
    add(header, &events, rows);
  }
  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
  std::uint64_t next_no_ = 0;
};

}  // namespace fuzz
