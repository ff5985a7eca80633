// Shortening text without breaking a character.
#pragma once

#include <cstddef>

namespace evt {

// Number of bytes of `text` to keep so that it has at most `limit` bytes and does not end inside a UTF-8 character.
inline std::size_t shorten_at_character(const char* text, std::size_t size, std::size_t limit) {
  if (size <= limit) return size;
  const auto continues = [text](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  std::size_t end = limit;
  for (int steps = 0; steps < 3 && end > 0 && continues(end); ++steps) --end;
  return continues(end) ? limit : end;  // not UTF-8: any place will do
}

}  // namespace evt
