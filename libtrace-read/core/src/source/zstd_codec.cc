#include "zstd_codec.h"

#include <fmt/core.h>
#include <zstd_errors.h>

#include <bit>
#include <new>

namespace evt {

ZstdCodec::ZstdCodec() : context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
  constexpr int kLogarithm = std::bit_width(kMaxWindow) - 1;
  ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, kLogarithm);
}

Codec::State ZstdCodec::step(Bytes* in, std::span<std::byte>* out) {
  ZSTD_inBuffer from = {in->data(), in->size(), 0};
  ZSTD_outBuffer to = {out->data(), out->size(), 0};
  const std::size_t result = ZSTD_decompressStream(context_, &to, &from);
  *in = in->subspan(from.pos);
  *out = out->subspan(to.pos);
  if (result == 0) return State::kFrameEnds;
  if (ZSTD_isError(result) == 0) return State::kInFrame;
  const ZSTD_ErrorCode error = ZSTD_getErrorCode(result);
  if (error == ZSTD_error_memory_allocation) throw std::bad_alloc();
  problem_ = error == ZSTD_error_frameParameter_windowTooLarge
                 ? fmt::format("its window is larger than {} MiB, which are the most that are read", kMaxWindow >> 20)
                 : ZSTD_getErrorName(result);
  return State::kFailed;
}

}  // namespace evt
