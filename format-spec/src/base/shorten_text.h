// Shortening text without breaking a character.
#pragma once

#include <cstddef>

namespace evt {

// How much of `text` to keep so that it has at most `limit` bytes and does not end inside a UTF-8 character.
inline std::size_t shorten_at_character(const char* text, std::size_t size, std::size_t limit) {
  if (size <= limit) return size;
  const auto continues = [text](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  std::size_t end = limit;
  for (int steps = 0; steps < 3 && end > 0 && continues(end); ++steps) --end;
  return continues(end) ? limit : end;  // not UTF-8 at all: any place is as good
}

}  // namespace evt
