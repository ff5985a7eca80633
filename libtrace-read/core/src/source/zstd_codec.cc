#include "zstd_codec.h"

#include <fmt/core.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <new>

namespace evt {

ZstdCodec::ZstdCodec() : context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
  constexpr int kLogarithm = std::bit_width(kMaxWindow) - 1;
  ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, kLogarithm);
  wanted_ = ZSTD_initDStream(context_);
}

Codec::State ZstdCodec::step(Bytes* in, std::span<std::byte>* out) {
  // A call that fails hands nothing out, so none has the end of a block and what may be wrong behind it: what it wants
  // is a block and the header of the next.
  constexpr std::size_t kBlockHeader = 3;
  const std::size_t piece = wanted_ > kBlockHeader ? wanted_ - kBlockHeader : wanted_;
  ZSTD_inBuffer from = {in->data(), std::min(in->size(), piece), 0};
  ZSTD_outBuffer to = {out->data(), out->size(), 0};
  const std::size_t result = ZSTD_decompressStream(context_, &to, &from);
  *in = in->subspan(from.pos);
  *out = out->subspan(to.pos);
  if (ZSTD_isError(result) == 0) {
    wanted_ = result == 0 ? ZSTD_initDStream(context_) : result;
    return result == 0 ? State::kFrameEnds : State::kInFrame;
  }
  const ZSTD_ErrorCode error = ZSTD_getErrorCode(result);
  if (error == ZSTD_error_memory_allocation) throw std::bad_alloc();
  problem_ = error == ZSTD_error_frameParameter_windowTooLarge
                 ? fmt::format("its window is larger than {} MiB, which are the most that are read", kMaxWindow >> 20)
                 : ZSTD_getErrorName(result);
  return State::kFailed;
}

}  // namespace evt
