// How wide texts are on paper.
#pragma once

#include <string>
#include <string_view>

namespace evt::view {

// Those that look alike, whichever a reader has: pictures name all of them.
inline constexpr const char* kFonts = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

// In points, by the widths of Helvetica and a little more, as the font may be another.
double text_width(std::string_view text, double size);
// As much of its beginning as fits, and an ellipsis; empty if that would be all.
std::string shortened(const std::string& text, double size, double width);

}  // namespace evt::view
