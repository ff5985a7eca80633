// One decompression method: step by step, in constant memory.
#pragma once

#include <evt/schema.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace evt {

// A file consists of consecutive frames, each with its own end: members of gzip, streams of xz.
class Codec {
 public:
  // More would be memory that a file merely claims to need.
  static constexpr std::size_t kMaxWindow = 128 << 20;

  enum class State { kInFrame, kFrameEnds, kFailed };

  Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  virtual ~Codec() = default;

  // Takes bytes from the start of `in`, and writes decompressed ones to the start of `out`; both shrink to what is
  // left.
  virtual State step(Bytes* in, std::span<std::byte>* out) = 0;
  // Another frame follows.
  virtual void restart() = 0;
  // Why it failed.
  virtual std::string problem() const = 0;
};

// Codecs by zlib, libzstd and liblzma.
std::unique_ptr<Codec> gzip_codec();
std::unique_ptr<Codec> zstd_codec();
std::unique_ptr<Codec> xz_codec();

}  // namespace evt
