#include "frame.h"

#include <zstd.h>

namespace evt {
namespace {

constexpr int kLevel = 1;  // RATIONALE.md: cost and gain of higher levels
constexpr int kShortestMatch = 7;
// A large plane gets its own zstd block, with separate statistics.
constexpr std::size_t kOwnBlock = 2 << 10;

}  // namespace

ColumnFrame::~ColumnFrame() { ZSTD_freeCCtx(zstd_); }

bool ColumnFrame::make(const std::uint8_t* rows, std::size_t size, std::uint32_t row_count) {
  if (zstd_ == nullptr) zstd_ = ZSTD_createCCtx();
  if (zstd_ == nullptr || !frame_.reserve(size) || !encoder_.encode(rows, size, row_count)) return false;
  capacity_ = size;  // no gain if larger than the rows
  size_ = 0;
  const Buffer& directory = encoder_.directory();
  raw_size_ = directory.size() + encoder_.data_size();
  if (raw_size_ > EVT_MAX_EVENTS_PAYLOAD) return false;
  ZSTD_CCtx_reset(zstd_, ZSTD_reset_session_only);
  ZSTD_CCtx_setParameter(zstd_, ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(zstd_, ZSTD_c_minMatch, kShortestMatch);
  ZSTD_CCtx_setPledgedSrcSize(zstd_, raw_size_);
  if (!put(directory.data(), directory.size(), raw_size_ == directory.size())) return false;
  const std::uint8_t* from = encoder_.data();
  std::size_t gathered = 0;
  for (std::size_t part = 0; part < encoder_.part_count(); ++part) {
    const std::size_t more = encoder_.parts()[part];
    if (more == 0) continue;  // else there would be no bytes left to end the frame
    if (gathered > 0 && (more >= kOwnBlock || gathered >= kOwnBlock)) {
      if (!put(from, gathered, false)) return false;
      from += gathered;
      gathered = 0;
    }
    gathered += more;
  }
  return gathered == 0 || put(from, gathered, true);
}

bool ColumnFrame::put(const void* bytes, std::size_t size, bool last) {
  ZSTD_inBuffer in = {bytes, size, 0};
  ZSTD_outBuffer out = {frame_.data(), capacity_, size_};
  const std::size_t left = ZSTD_compressStream2(zstd_, &out, &in, last ? ZSTD_e_end : ZSTD_e_flush);
  size_ = out.pos;
  return left == 0;  // errors are numbers, and so is a lack of room
}

}  // namespace evt
