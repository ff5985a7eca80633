// Undoes zstd.
#pragma once

#include <zstd.h>

#include "codec.h"

namespace evt {

class ZstdCodec : public Codec {
 public:
  ZstdCodec();
  ~ZstdCodec() override { ZSTD_freeDCtx(context_); }

  State step(Bytes* in, std::span<std::byte>* out) override;
  void restart() override {}  // it expects one
  std::string problem() const override { return problem_; }

 private:
  State call(Bytes* in, std::size_t most, std::span<std::byte>* out);

  ZSTD_DCtx* context_;
  std::size_t wanted_;     // bytes that it can go on with
  bool has_more_ = false;  // what was decoded may not have been handed out yet
  std::string problem_;
};

}  // namespace evt
