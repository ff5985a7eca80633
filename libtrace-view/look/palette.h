// What colours states and spans have.
#pragma once

#include <cstdint>

#include "libtrace-view/rows/shares.h"

namespace evt::view {

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

// On white. Those of states differ for people who see fewer colours, too.
Color color_of(RowState state);
// Of spans whose names have this hue: a black text is readable on each. The page has the same.
Color color_of_hue(Key hue);

namespace colors {

inline constexpr Color kText{0x1c, 0x21, 0x28};
inline constexpr Color kMuted{0x5d, 0x66, 0x75};
inline constexpr Color kLine{0xd5, 0xda, 0xe1};
inline constexpr Color kAccent{0x3b, 0x5b, 0xdb};
inline constexpr Color kBand{0xc5, 0xcf, 0xfa};  // around the mean of a counter
inline constexpr Color kLost{0xc2, 0x25, 0x5c};
inline constexpr Color kStopped{0x5d, 0x66, 0x75};
inline constexpr Color kWhite{0xff, 0xff, 0xff};

}  // namespace colors

}  // namespace evt::view
