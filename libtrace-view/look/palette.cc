#include "palette.h"

namespace evt::view {
namespace {

// By RowState. The first, second, fifth, sixth and seventh were found by a search for the largest least distance
// (OKLab) under normal sight and three kinds of colour blindness.
constexpr Color kStates[kRowStates] = {{0x25, 0x71, 0x47}, {0xfb, 0x95, 0x21}, {0xfc, 0xbd, 0x74}, {0xfe, 0xe0, 0xbf},
                                       {0x6b, 0xa1, 0xd5}, {0x6c, 0x00, 0x91}, {0xc3, 0xc7, 0xcf}, {0xe4, 0xe7, 0xec}};

// Found by a search for the largest least distance (OKLab) among those that are light enough for a black text, at least
// 0.1 from each colour of a state on paper, in a terminal and in both themes of the page, and of other hues than
// running.
constexpr Color kHues[kKeys] = {{0xcd, 0x88, 0x94}, {0xfd, 0x9e, 0xb0}, {0xa0, 0xa5, 0x4b}, {0xa7, 0xc5, 0x68},
                                {0xc8, 0xe5, 0x8f}, {0x2c, 0xcf, 0xd7}, {0x6c, 0xee, 0xfa}, {0x6e, 0xc9, 0xfe},
                                {0xaa, 0xb1, 0xf7}, {0xbd, 0x91, 0xcf}, {0xe1, 0xa3, 0xf0}, {0xff, 0xbf, 0xf5}};

}  // namespace

Color color_of(RowState state) { return kStates[key_of(state)]; }
Color color_of_hue(Key hue) { return kHues[hue % kKeys]; }

}  // namespace evt::view
