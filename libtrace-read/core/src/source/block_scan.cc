#include "block_scan.h"

#include <algorithm>
#include <cstring>

#include "format-spec/src/block/block_header.h"

namespace evt {

std::size_t find_magic(Bytes bytes, std::size_t from, std::size_t to) {
  to = std::min(to, bytes.size());
  while (from < to) {
    const void* const hit = std::memchr(bytes.data() + from, EVT_MAGIC[0] & 0xFF, to - from);
    if (hit == nullptr) return kNoBlock;
    const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(hit) - bytes.data());
    if (bytes.size() - at >= EVT_MAGIC_SIZE) {
      const std::byte* const p = bytes.data() + at;
      constexpr std::size_t kBehind = EVT_MAGIC_GENERATION_AT + 1;
      if (std::memcmp(p, EVT_MAGIC, EVT_MAGIC_GENERATION_AT) == 0 &&
          std::memcmp(p + kBehind, &EVT_MAGIC[kBehind], EVT_MAGIC_SIZE - kBehind) == 0) {
        return at;
      }
    }
    from = at + 1;
  }
  return kNoBlock;
}

std::size_t find_block(Bytes bytes, std::size_t from, std::size_t to) {
  for (std::size_t at = find_magic(bytes, from, to); at != kNoBlock; at = find_magic(bytes, at + 1, to)) {
    BlockHeader header;
    const auto* const p = reinterpret_cast<const std::uint8_t*>(bytes.data() + at);
    const HeaderState state = load_block_header(p, bytes.size() - at, &header);
    if (state == HeaderState::kGood || state == HeaderState::kNewer) return at;
  }
  return kNoBlock;
}

}  // namespace evt
