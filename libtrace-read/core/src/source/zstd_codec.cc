#include <fmt/core.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <new>

#include "codec.h"

namespace evt {
namespace {

// Undoes zstd.
class ZstdCodec : public Codec {
 public:
  ZstdCodec() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    constexpr int kLogarithm = std::bit_width(kMaxWindow) - 1;
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, kLogarithm);
    wanted_ = ZSTD_initDStream(context_);
  }

  ~ZstdCodec() override { ZSTD_freeDCtx(context_); }

  // A call that fails returns no bytes, so each gets only one task: to return what did not fit, to take a block, or to
  // take the header after it, which it wants along with the block.
  Codec::State step(Bytes* in, std::span<std::byte>* out) override {
    if (has_more_) {
      const std::size_t before = out->size();
      const State state = call(in, 0, out);
      if (state != State::kInFrame || out->size() < before) return state;
    }
    constexpr std::size_t kBlockHeader = 3;
    return call(in, wanted_ > kBlockHeader ? wanted_ - kBlockHeader : wanted_, out);
  }

  void restart() override {}  // it expects one
  std::string problem() const override { return problem_; }

 private:
  // Takes at most so many bytes.
  Codec::State call(Bytes* in, std::size_t most, std::span<std::byte>* out) {
    ZSTD_inBuffer from = {in->data(), std::min(in->size(), most), 0};
    ZSTD_outBuffer to = {out->data(), out->size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_, &to, &from);
    *in = in->subspan(from.pos);
    *out = out->subspan(to.pos);
    if (ZSTD_isError(result) == 0) {
      has_more_ = result != 0 && out->empty();
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

  ZSTD_DCtx* context_;
  std::size_t wanted_;     // bytes that it can continue with
  bool has_more_ = false;  // decoded bytes may not have been returned yet
  std::string problem_;
};

}  // namespace

std::unique_ptr<Codec> zstd_codec() { return std::make_unique<ZstdCodec>(); }

}  // namespace evt
