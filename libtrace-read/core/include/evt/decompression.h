// Decompresses files of gzip, zstd or xz. Trace::open() does so itself; this is for programs that read a file from its
// start without opening a trace.
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
// `front` has kCompressionFront of them, or all of a shorter file.
inline constexpr std::size_t kCompressionFront = 6;
const char* compression_of(Bytes front);

// Decompresses from the start, in constant memory: a window of 128 MiB at most. Consecutive members, frames and streams
// are one file, zeros between and after them are padding.
class Decompression {
 public:
  // Copies the next compressed bytes; fewer than requested only at their end.
  using Read = std::function<std::size_t(std::byte* out, std::size_t size)>;

  explicit Decompression(Read compressed);

  // Copies the next bytes; fewer than `size` at their end, and at damage().
  std::size_t read(std::byte* out, std::size_t size);

  // Number of compressed bytes used so far.
  std::uint64_t taken() const;
  // Where in the compressed bytes it could not continue, and why: they are truncated, damaged, or need a larger window.
  const std::optional<Damage>& damage() const;

 private:
  struct State;
  Hidden<State> state_;
};

}  // namespace evt
#pragma GCC visibility pop
