// The rows of one session, which have one scale of time.
#pragma once

#include <string>
#include <vector>

#include "scale.h"
#include "track.h"

namespace evt::view {

struct Panel {
  std::string heading;  // shown if there are several
  Scale scale;
  std::vector<Track> tracks;
};

}  // namespace evt::view
