#include "glyphs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "libtrace-view/look/texts.h"

namespace evt::view {
namespace {

constexpr const char* kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr const char* kRamp[] = {" ", ".", ".", ":", ":", "=", "=", "#", "#"};

// The nearest of the cube of 6 x 6 x 6 that terminals of 256 colours have, whose levels are 0, 95, 135, ... 255.
int cube_level(std::uint8_t value) { return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40; }

std::string color_sequence(Color color, bool is_back, Colors colors) {
  const int what = is_back ? 48 : 38;
  if (colors == Colors::kAll) return fmt::format("{};2;{};{};{}", what, color.red, color.green, color.blue);
  return fmt::format("{};5;{}", what,
                     16 + 36 * cube_level(color.red) + 6 * cube_level(color.green) + cube_level(color.blue));
}

std::string style_of(const Glyph& glyph, Colors colors) {
  std::string style;
  if (colors == Colors::kNone) return style;
  if (glyph.fore) style += ";" + color_sequence(*glyph.fore, false, colors);
  if (glyph.back) style += ";" + color_sequence(*glyph.back, true, colors);
  return style;
}

// Of scripts whose characters take two columns.
bool is_wide(std::string_view character) {
  const auto c = static_cast<unsigned char>(character.front());
  return c >= 0xe2 && character >= "\u2e80" && !(character >= "\ud7b0" && character < "\uf900");
}

}  // namespace

std::string text_of(const Glyphs& line, Colors colors) {
  std::size_t end = line.size();
  while (end > 0 && line[end - 1].text == " " && (colors == Colors::kNone || !line[end - 1].back)) --end;
  std::string text;
  std::string now;
  for (std::size_t i = 0; i < end; ++i) {
    const std::string style = style_of(line[i], colors);
    if (style != now) text += "\x1b[0" + style + "m";
    now = style;
    text += line[i].text;
  }
  return now.empty() ? text : text + "\x1b[0m";
}

const char* bar_of(double eighths, bool has_blocks) {
  const auto place = static_cast<std::size_t>(std::clamp(std::ceil(eighths - 1e-9), 0.0, 8.0));
  return has_blocks ? kBlocks[place] : kRamp[place];
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = next_character(text, at);
    width += is_wide(text.substr(at, next - at)) ? 2 : 1;
    at = next;
  }
  return width;
}

std::string fitted(const std::string& text, std::size_t width, const std::string& mark) {
  if (width_of(text) <= width) return text;
  std::size_t end = 0;
  while (end < text.size() && width_of(text.substr(0, next_character(text, end))) + 1 <= width) {
    end = next_character(text, end);
  }
  return width == 0 ? "" : text.substr(0, end) + mark;
}

std::string as_ascii(std::string_view text) {
  std::string ascii;
  for (std::size_t at = 0; at < text.size(); at = next_character(text, at)) {
    ascii += static_cast<unsigned char>(text[at]) < 0x80 ? text[at] : '?';
  }
  return ascii;
}

}  // namespace evt::view
