// Whether bytes are what tile.h states of a row in a tile.
#pragma once

#include <cstddef>
#include <string_view>

#include "libtrace-view/rows/track.h"

namespace evt::view {

// Names are numbers below `names`.
bool is_payload(TrackKind kind, std::string_view bytes, std::size_t names);

}  // namespace evt::view
