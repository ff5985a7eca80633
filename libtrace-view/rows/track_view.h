// What tracks are made of: in which columns rows are seen, and up to when.
#pragma once

#include "losses.h"
#include "zoom.h"

namespace evt::view {

struct TrackView {
  // `of` are the losses in the columns of zoom.of().
  TrackView(const Zoom& zoom_to, std::int64_t end_ns, const Losses& of)
      : zoom(zoom_to), until_ns(end_ns), losses(of.seen(zoom_to)) {}

  Zoom zoom;
  std::int64_t until_ns;  // what goes on does so until then
  Losses losses;          // in the columns of zoom.as()
};

}  // namespace evt::view
