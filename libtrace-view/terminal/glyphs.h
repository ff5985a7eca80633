// Characters of a terminal, with their colours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libtrace-view/look/palette.h"

namespace evt::view {

enum class Colors : std::uint8_t { kNone, kFew, kAll };  // kFew: 256

struct Glyph {
  std::string text = " ";
  std::optional<Color> fore{};
  std::optional<Color> back{};
};

using Glyphs = std::vector<Glyph>;

// With the colours' sequences where they change, and none behind the end. Spaces at the end are left out.
std::string text_of(const Glyphs& line, Colors colors);

// A bar of so many eighths of a line, from 0 to 8.
const char* bar_of(double eighths, bool has_blocks);

// How many columns a text takes. REQUIRES: UTF-8 without control characters.
std::size_t width_of(std::string_view text);
// As much of its beginning as fits, and where it is not all `mark` behind it.
std::string fitted(const std::string& text, std::size_t width, const std::string& mark);
// All that is not ASCII is a question mark.
std::string as_ascii(std::string_view text);

}  // namespace evt::view
