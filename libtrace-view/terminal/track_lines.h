// One row of a terminal's picture.
#pragma once

#include <vector>

#include "glyphs.h"
#include "libtrace-view/look/column_stacks.h"
#include "libtrace-view/rows/scale.h"
#include "libtrace-view/rows/track.h"

namespace evt::view {

class TrackLines {
 public:
  TrackLines(const Scale& scale, bool has_color, bool has_blocks)
      : scale_(&scale), has_color_(has_color), has_blocks_(has_blocks) {}

  // From the top to the base.
  std::vector<Glyphs> lines_of(const Track& track) const;
  // What a legend has of a state, and of events that were lost.
  Glyph sample_of(RowState state) const;
  Glyph sample_of_hue(Key hue) const { return {level(8), color_of_hue(hue)}; }
  Glyph sample_of_loss() const;
  Glyph sample_of_uncertainty() const;
  Glyph sample_of_stop() const;

 private:
  std::vector<Glyphs> states(const Track& track) const;
  Glyph colored(const Heights& part, bool is_span) const;
  Glyph plain(const Heights& part) const;
  Glyph base(const Heights& shares) const;
  std::vector<Glyphs> counter(const Track& track) const;
  Glyphs counts(const Track& track) const;
  Glyphs marks(const Track& track) const;
  void add_names(const Track& track, Glyphs* line) const;
  void add_bands(const Track& track, Glyphs* line) const;
  std::string level(double eighths) const;
  std::string shown(const std::string& text) const;

  const Scale* scale_;
  bool has_color_;
  bool has_blocks_;
};

}  // namespace evt::view
