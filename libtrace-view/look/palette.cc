#include "palette.h"

#include <cstddef>

namespace evt::view {
namespace {

struct Look {
  const char* label;
  Color color;
};

// By RowState. The first, second, fifth, sixth and seventh were found by a search for the largest least distance
// (OKLab) under normal sight and three kinds of colour blindness.
constexpr Look kLooks[kRowStates] = {
    {"running", {0x25, 0x71, 0x47}},
    {"collecting", {0xfb, 0x95, 0x21}},
    {"collector waits for others", {0xfc, 0xbd, 0x74}},
    {"collector idle", {0xfe, 0xe0, 0xbf}},
    {"could run", {0x6b, 0xa1, 0xd5}},
    {"outside", {0x6c, 0x00, 0x91}},
    {"waits", {0xc3, 0xc7, 0xcf}},
    {"unknown", {0xe4, 0xe7, 0xec}},
};

// Equal lightness 0.80 and chroma 0.095 in OKLCH, 30 degrees apart.
constexpr Color kHues[kKeys] = {{0xf5, 0xa5, 0xaa}, {0xf2, 0xaa, 0x8b}, {0xe2, 0xb5, 0x77}, {0xc7, 0xc2, 0x78},
                                {0xa3, 0xcc, 0x8e}, {0x80, 0xd1, 0xaf}, {0x6c, 0xd1, 0xd1}, {0x75, 0xcb, 0xec},
                                {0x94, 0xc1, 0xfa}, {0xb7, 0xb5, 0xf9}, {0xd5, 0xab, 0xe8}, {0xea, 0xa5, 0xcc}};

}  // namespace

const char* label_of(RowState state) { return kLooks[static_cast<std::size_t>(state)].label; }
Color color_of(RowState state) { return kLooks[static_cast<std::size_t>(state)].color; }
Color color_of_hue(Key hue) { return kHues[hue % kKeys]; }

}  // namespace evt::view
