// How one way of compressing is undone: step by step, in constant memory.
#pragma once

#include <evt/schema.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace evt {

// A file is frames, one behind the other, each with an end of its own: members of gzip, streams of xz.
class Codec {
 public:
  // More than that would be memory that a file merely asks for.
  static constexpr std::size_t kMaxWindow = 128 << 20;

  enum class State { kInFrame, kFrameEnds, kFailed };

  Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  virtual ~Codec() = default;

  // Takes bytes from the front of `in`, and puts what they become in front of `out`; both shrink to what is left.
  virtual State step(Bytes* in, std::span<std::byte>* out) = 0;
  // Another frame follows.
  virtual void restart() = 0;
  // Why it failed.
  virtual std::string problem() const = 0;
};

// By zlib, by libzstd and by liblzma.
std::unique_ptr<Codec> gzip_codec();
std::unique_ptr<Codec> zstd_codec();
std::unique_ptr<Codec> xz_codec();

}  // namespace evt
