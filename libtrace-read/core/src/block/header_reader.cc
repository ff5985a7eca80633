#include "header_reader.h"

#include <evt/format.h>
#include <evt/little_endian.h>

#include <algorithm>
#include <array>

#include "format-spec/src/row/row_reader.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

// A window has several pieces below kSmall, and copying what lies between them costs less than reading each.
constexpr std::size_t kSmall = 8 << 10;
constexpr std::size_t kWindow = 64 << 10;

// Why a header with a right checksum is not valid; null if it is.
const char* broken_claim(const BlockHeader& header, const EventsHeader& events) {
  if (header.codec == EVT_CODEC_NONE && header.raw_size != header.payload_size) {
    return "its raw size differs from its payload size";
  }
  const std::uint32_t most = header.type >= EVT_BLOCK_PRIVATE  ? std::uint32_t{EVT_MAX_PRIVATE_PAYLOAD}
                             : header.type == EVT_BLOCK_EVENTS ? std::uint32_t{EVT_MAX_EVENTS_PAYLOAD}
                                                               : std::uint32_t{EVT_MAX_METADATA_PAYLOAD};
  if (header.payload_size > most) return "its payload is larger than the format allows";
  if (header.type != EVT_BLOCK_EVENTS) return nullptr;
  if (header.header_size < EVT_EVENTS_HEADER_SIZE) return "its header is too short for events";
  if (events.rows_size > EVT_MAX_EVENTS_PAYLOAD || header.raw_size > EVT_MAX_EVENTS_PAYLOAD) {
    return "its rows are larger than the format allows";
  }
  const bool plain = events.layout == EVT_LAYOUT_ROWS && header.codec == EVT_CODEC_NONE;
  if (plain && events.rows_size != header.payload_size) return "its rows and its payload differ in size";
  if (events.row_count > events.rows_size / RowReader::kMinRow) return "it claims more rows than its bytes can hold";
  if (events.first_ordinal > UINT64_MAX - events.row_count) return "its ordinals go on behind the largest number";
  return nullptr;
}

}  // namespace

void HeaderReader::go_on(ByteSource& source) {
  source_ = &source;
  window_.clear();
  ahead_at_ = UINT64_MAX;
}

std::size_t HeaderReader::read_at(std::uint64_t offset, std::byte* out, std::size_t size) {
  const std::size_t got = source_->read_at(offset, out, size);
  bytes_read_ += got;
  return got;
}

std::size_t HeaderReader::read_next(std::uint64_t offset, std::byte* out, std::size_t size, std::size_t near) {
  if (!window_has(offset, size)) {
    if (size + near > kSmall) return read_at(offset, out, size);
    fill_window(offset);
  }
  size = std::min(size, window_.size() - static_cast<std::size_t>(offset - window_at_));
  std::copy_n(window_.begin() + static_cast<std::ptrdiff_t>(offset - window_at_), size, out);
  return size;
}

// Twice as much, while one window follows the other.
void HeaderReader::fill_window(std::uint64_t offset) {
  const std::uint64_t end = window_at_ + window_.size();
  const bool follows = offset >= window_at_ && offset < end + kSmall;
  window_.resize(follows ? std::clamp(2 * window_.size(), kSmall, kWindow) : kSmall);
  window_.resize(read_at(offset, window_.data(), window_.size()));
  window_at_ = offset;
}

bool HeaderReader::window_has(std::uint64_t offset, std::size_t size) const {
  return offset >= window_at_ && offset - window_at_ < window_.size() && size <= window_.size() - (offset - window_at_);
}

HeaderReader::Probe HeaderReader::probe(std::uint64_t offset) {
  if (offset == ahead_at_) return ahead_;
  std::array<std::byte, EVT_BLOCK_HEADER_MAX> bytes;
  const bool is_near = window_has(offset, EVT_EVENTS_HEADER_SIZE);
  std::size_t got = is_near ? read_next(offset, bytes.data(), EVT_EVENTS_HEADER_SIZE, 0)
                            : read_at(offset, bytes.data(), EVT_EVENTS_HEADER_SIZE);
  Probe probe;
  probe.state = load_block_header(raw(bytes.data()), got, &probe.block.header);
  if (probe.state == HeaderState::kShort && got == EVT_EVENTS_HEADER_SIZE) {
    got += read_at(offset + got, bytes.data() + got, bytes.size() - got);
    probe.state = load_block_header(raw(bytes.data()), got, &probe.block.header);
  }
  probe.block.offset = offset;
  // The checksum was computed over the header size that the header states.
  const bool checked = probe.state == HeaderState::kGood || probe.state == HeaderState::kBadChecksum;
  probe.checked = checked ? evt_load_u16(bytes.data() + 12) : 0;
  if (probe.state == HeaderState::kGood) {
    if (probe.block.header.header_size >= EVT_EVENTS_HEADER_SIZE) {
      probe.block.events = load_events_header(raw(bytes.data()));
    }
    if (const char* why = broken_claim(probe.block.header, probe.block.events)) probe.why = why;
  }
  ahead_ = probe;
  ahead_at_ = offset;
  return probe;
}

}  // namespace evt
