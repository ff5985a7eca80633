// Undoes gzip, by zlib.
#pragma once

#include <zlib.h>

#include "codec.h"

namespace evt {

class GzipCodec : public Codec {
 public:
  GzipCodec();
  ~GzipCodec() override { inflateEnd(&stream_); }

  State step(Bytes* in, std::span<std::byte>* out) override;
  void restart() override { inflateReset(&stream_); }
  std::string problem() const override { return problem_; }

 private:
  z_stream stream_{};
  std::string problem_;
};

}  // namespace evt
