#include <evt/decompression.h>
#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "codec.h"

namespace evt {
namespace {

constexpr std::size_t kInput = 64 << 10;

struct Format {
  const char* name;
  bool (*begins)(std::string_view front);
  std::unique_ptr<Codec> (*codec)();
};

// RFC 1952: deflate is the only method.
bool is_gzip(std::string_view front) { return front.starts_with("\x1f\x8b\x08"); }
// RFC 8878: a frame, or a skippable one, with which pzstd begins a file.
bool is_zstd(std::string_view front) {
  if (front.starts_with("\x28\xb5\x2f\xfd")) return true;
  return front.size() >= 4 && (front[0] & 0xF0) == 0x50 && front.substr(1, 3) == "\x2a\x4d\x18";
}
// The .xz File Format, 2.1.1.1.
bool is_xz(std::string_view front) {
  return front.starts_with(
      std::string_view("\xfd"
                       "7zXZ\0",
                       6));
}

constexpr Format kFormats[] = {{"gzip", is_gzip, gzip_codec}, {"zstd", is_zstd, zstd_codec}, {"xz", is_xz, xz_codec}};

const Format* format_of(Bytes front) {
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  const auto* const found = std::ranges::find_if(kFormats, [&](const Format& each) { return each.begins(text); });
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace

const char* compression_of(Bytes front) {
  const Format* const format = format_of(front);
  return format == nullptr ? nullptr : format->name;
}

struct Decompression::State {
  Read compressed;
  std::vector<std::byte> buffer = std::vector<std::byte>(kInput);
  Bytes in{};  // the unused part of the buffer
  std::uint64_t fetched = 0;
  bool is_at_end = false;        // nothing comes after `in`
  const char* format = nullptr;  // its name
  std::unique_ptr<Codec> codec;
  bool is_in_frame = false;
  bool has_ended = false;
  std::optional<Damage> damage;

  std::uint64_t taken() const { return fetched - in.size(); }

  // Reads until there are so many bytes, or no more.
  void fetch(std::size_t wanted) {
    if (in.size() >= wanted || is_at_end) return;
    std::copy(in.begin(), in.end(), buffer.begin());
    const std::size_t before = in.size();
    const std::size_t got = compressed(buffer.data() + before, buffer.size() - before);
    fetched += got;
    is_at_end = before + got < buffer.size();
    in = Bytes(buffer).first(before + got);
  }

  void fail(std::string_view why) {
    damage = Damage{taken(), 0, fmt::format("the {} data is damaged here: {}", format, why)};
    has_ended = true;
  }

  void truncate() {
    damage = Damage{taken(), 0, fmt::format("the {} data is truncated: it ends here", format)};
    has_ended = true;
  }

  void skip_padding() {
    for (fetch(1); !in.empty() && in.front() == std::byte{0}; fetch(1)) in = in.subspan(1);
  }

  // Returns false if no frame follows.
  bool begin_frame() {
    if (format != nullptr) skip_padding();
    fetch(kCompressionFront);
    const Format* const found = format_of(in);
    if (format == nullptr && found != nullptr) {
      format = found->name;
      codec = found->codec();
    } else if (format == nullptr || in.empty()) {
      has_ended = true;
    } else if (found != nullptr && found->name == format) {
      codec->restart();
    } else {
      damage = Damage{taken(), 0, fmt::format("what follows is no {} data", format)};
      has_ended = true;
    }
    is_in_frame = !has_ended;
    return is_in_frame;
  }

  void go_on(std::span<std::byte>* out) {
    fetch(1);
    const std::size_t before = in.size() + out->size();
    switch (codec->step(&in, out)) {
      case Codec::State::kFailed:
        return fail(codec->problem());
      case Codec::State::kFrameEnds:
        is_in_frame = false;
        return;
      case Codec::State::kInFrame:
        if (in.size() + out->size() < before) return;
        return in.empty() && is_at_end ? truncate() : fail("it cannot be read on");
    }
  }
};

Decompression::Decompression(Read compressed) : state_(std::make_unique<State>()) {
  state_->compressed = std::move(compressed);
}

std::size_t Decompression::read(std::byte* out, std::size_t size) {
  std::span<std::byte> left(out, size);
  while (!left.empty() && !state_->has_ended) {
    if (state_->is_in_frame || state_->begin_frame()) state_->go_on(&left);
  }
  return size - left.size();
}

std::uint64_t Decompression::taken() const { return state_->taken(); }
const std::optional<Damage>& Decompression::damage() const { return state_->damage; }

}  // namespace evt
