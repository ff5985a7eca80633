// Undoes xz, by liblzma.
#pragma once

#include <lzma.h>

#include "codec.h"

namespace evt {

class XzCodec : public Codec {
 public:
  XzCodec() { restart(); }
  ~XzCodec() override { lzma_end(&stream_); }

  State step(Bytes* in, std::span<std::byte>* out) override;
  void restart() override;
  std::string problem() const override { return problem_; }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::string problem_;
};

}  // namespace evt
