#include "block_decoder.h"

#include <evt/little_endian.h>
#include <fmt/core.h>
#include <zstd.h>

#include <cstring>

#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/block/piece_table.h"
#include "libtrace-read/core/src/base/damaged.h"
#include "libtrace-read/core/src/base/raw_bytes.h"

namespace evt {
namespace {

constexpr std::uint64_t kMaxWindow = 8 << 20;

// The window that a frame declares, RFC 8878, section 3.1.1.1; 0: its whole content.
std::uint64_t window_of(Bytes frame) {
  constexpr std::size_t kDescriptorAt = 4;
  constexpr std::size_t kWindowAt = 5;
  constexpr auto kSingleSegment = std::byte{0x20};
  if (frame.size() <= kWindowAt || (frame[kDescriptorAt] & kSingleSegment) != std::byte{0}) return 0;
  const auto window = static_cast<unsigned>(frame[kWindowAt]);
  const std::uint64_t base = std::uint64_t{1} << (10 + (window >> 3));
  return base + base / 8 * (window & 7);
}

// RFC 8878, section 3.1.2: bytes for other uses, which a trace does not have.
bool is_skippable(Bytes frame) { return frame.size() >= 4 && (evt_load_u32(frame.data()) & ~0xFu) == 0x184D2A50; }

}  // namespace

BlockDecoder::BlockDecoder(BlockReader& blocks) : blocks_(blocks), zstd_(nullptr, ZSTD_freeDCtx) {}
BlockDecoder::~BlockDecoder() = default;

Status BlockDecoder::decode(const Block& block, std::byte* rows) {
  const EventsHeader& events = block.events;
  blocks_.count_unpacked(events.rows_size);
  table_ = {};
  stored_.resize(block.header.payload_size);
  stored_.resize(blocks_.read(block, 0, stored_.data(), stored_.size()));
  const std::uint32_t stored_crc = crc32c(0, stored_.data(), stored_.size());
  if (stored_crc != block.header.payload_crc) {
    return wrong_checksum("payload", stored_crc, block.header.payload_crc);
  }
  if (is_multiplexed(events.layout)) {
    const std::size_t size = piece_table_size(raw(stored_.data()), stored_.size());
    if (size == 0 || size > block.header.raw_size) return damaged("its table of streams does not fit it");
    table_ = Bytes(stored_).first(size);
  }
  Bytes coded = Bytes(stored_).subspan(table_.size());
  if (block.header.codec == EVT_CODEC_ZSTD) {
    if (Status status = unpack(coded, block.header.raw_size - table_.size()); !status.ok()) return status;
    coded = raw_;
  }
  if (without_table(events.layout) == EVT_LAYOUT_COLUMNS) {
    Status status = columns_.decode(raw(coded.data()), coded.size(), events.row_count, raw(rows), events.rows_size);
    if (!status.ok()) return status;
  } else if (coded.size() == events.rows_size) {
    std::memcpy(rows, coded.data(), coded.size());
  } else {
    return damaged(fmt::format("it has {} bytes of rows, by its header {}", coded.size(), events.rows_size));
  }
  const std::uint32_t rows_crc = crc32c(0, rows, events.rows_size);
  return rows_crc == events.rows_crc ? Status() : wrong_checksum("rows", rows_crc, events.rows_crc);
}

// Unpacks consecutive frames that state the size of their content correctly.
Status BlockDecoder::unpack(Bytes frames, std::size_t raw_size) {
  if (zstd_ == nullptr) zstd_.reset(ZSTD_createDCtx());
  raw_.resize(raw_size);
  std::size_t done = 0;
  for (Bytes left = frames; !left.empty();) {
    if (is_skippable(left)) return damaged("its payload has a skippable zstd frame");
    const std::uint64_t content = ZSTD_getFrameContentSize(left.data(), left.size());
    const std::size_t size = ZSTD_findFrameCompressedSize(left.data(), left.size());
    if (content == ZSTD_CONTENTSIZE_ERROR || ZSTD_isError(size) != 0) return damaged("its payload is no zstd frame");
    if (content == ZSTD_CONTENTSIZE_UNKNOWN) return damaged("its zstd frame does not say how large its content is");
    if (content > raw_.size() - done) {
      return damaged(fmt::format("its zstd frames have more than the {} bytes of its header", raw_.size()));
    }
    if (const std::uint64_t window = window_of(left); window > kMaxWindow) {
      return damaged(fmt::format("its zstd frame wants a window of {} bytes, {} are allowed", window, kMaxWindow));
    }
    const std::size_t got =
        ZSTD_decompressDCtx(zstd_.get(), raw_.data() + done, static_cast<std::size_t>(content), left.data(), size);
    if (ZSTD_isError(got) != 0) return damaged(fmt::format("its zstd frame is damaged: {}", ZSTD_getErrorName(got)));
    done += got;
    left = left.subspan(size);
  }
  if (done == raw_.size()) return {};
  return damaged(fmt::format("its zstd frames have {} bytes, by its header {}", done, raw_.size()));
}

}  // namespace evt
