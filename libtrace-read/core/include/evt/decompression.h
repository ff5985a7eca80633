// Files that gzip, zstd or xz compressed, as the bytes that they were made of. Trace::open() reads these by itself;
// this is for who reads a file from its front without opening a trace.
#pragma once

#include <evt/opaque.h>
#include <evt/schema.h>
#include <evt/session.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#pragma GCC visibility push(default)
namespace evt {

// The program that compressed a file, by the file's first bytes: "gzip", "zstd" or "xz"; null if it is not compressed.
// `front` has kCompressionFront of them, or all of a file that is shorter.
inline constexpr std::size_t kCompressionFront = 6;
const char* compression_of(Bytes front);

// Decompresses from the front, in constant memory: a window of 128 MiB at most. Members, frames and streams that follow
// one another are one file, zeros between and behind them are padding.
class Decompression {
 public:
  // Copies the next compressed bytes; fewer than asked for at their end only.
  using Read = std::function<std::size_t(std::byte* out, std::size_t size)>;

  explicit Decompression(Read compressed);

  // Copies the next bytes; fewer than `size` at their end, and where damage() is.
  std::size_t read(std::byte* out, std::size_t size);

  // Compressed bytes that were used so far.
  std::uint64_t taken() const;
  // Where in the compressed bytes it could not go on, and why: they are truncated, damaged, or want a larger window.
  const std::optional<Damage>& damage() const;

 private:
  struct State;
  Hidden<State> state_;
};

}  // namespace evt
#pragma GCC visibility pop
