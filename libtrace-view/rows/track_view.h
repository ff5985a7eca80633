// What tracks are made of: which ones, in which columns rows are seen, and up to when.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "losses.h"
#include "track.h"
#include "zoom.h"

namespace evt::view {

// By the kinds and names of tracks.
using Wanted = std::function<bool(TrackKind, const std::string& name)>;
// By the keys of tracks; without one all are made.
using ShownKeys = std::function<bool(const std::string& key)>;

struct TrackView {
  // `of` are the losses in the columns of zoom.of().
  TrackView(const Zoom& zoom_to, std::int64_t end_ns, const Losses& of, ShownKeys of_keys = {})
      : zoom(zoom_to), until_ns(end_ns), losses(of.seen(zoom_to)), keys(std::move(of_keys)) {}

  bool shows(const std::string& key) const { return !keys || keys(key); }
  // Rows that are asked for by their keys are there for their bands too: elsewhere there is more of them.
  bool drops(const Track& track) const { return !keys || !track.has_bands(); }

  Zoom zoom;
  std::int64_t until_ns;  // what goes on does so until then
  Losses losses;          // in the columns of zoom.as()
  ShownKeys keys;
};

}  // namespace evt::view
