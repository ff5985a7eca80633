// The shares of a row, column by column, as heights that are stacked.
#pragma once

#include <array>
#include <vector>

#include "libtrace-view/rows/scale.h"
#include "libtrace-view/rows/shares.h"
#include "libtrace-view/rows/track.h"

namespace evt::view {

// By key. Of a row of states, what is not stacked (waits, unknown) has its share too.
using Heights = std::array<double, kKeys>;

// Of one column: each key's part of the whole, of which all together are 1 at most.
std::vector<Heights> shares_of(const Track& track, const Scale& scale);

// Of `height`: each in proportion, but what is there at all has at least `least`. The largest gives way for that.
Heights stacked(const Heights& shares, double height, double least);

// Which keys of rows of states are stacked; the others are a bar at the base.
constexpr bool is_stacked(Key key) { return key < key_of(RowState::kWaiting); }

}  // namespace evt::view
