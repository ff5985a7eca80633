#include "font.h"

#include <cstdint>

#include "libtrace-view/look/texts.h"

namespace evt::view {
namespace {

// Of Helvetica's characters from the space to the tilde, in thousandths of its size (Adobe font metrics).
constexpr std::uint16_t kWidths[] = {278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                                     556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                                     1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                                     667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                                     333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                                     556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
constexpr double kOtherCharacter = 1000;  // of what may be a letter of any script
constexpr double kOtherFonts = 1.08;      // the other fonts are wider

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0;
  for (std::size_t at = 0; at < text.size(); at = next_character(text, at)) {
    const auto c = static_cast<unsigned char>(text[at]);
    width += c >= ' ' && c <= '~' ? kWidths[c - ' '] : kOtherCharacter;
  }
  return width * kOtherFonts * size / 1000;
}

std::string shortened(const std::string& text, double size, double width) {
  if (text_width(text, size) <= width) return text;
  const std::string ellipsis = "\u2026";
  std::string best;
  for (std::size_t at = next_character(text, 0); at < text.size(); at = next_character(text, at)) {
    std::string shorter = text.substr(0, at) + ellipsis;
    if (text_width(shorter, size) > width) break;
    best = std::move(shorter);
  }
  return best;
}

}  // namespace evt::view
