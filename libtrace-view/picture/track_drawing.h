// One row of a picture.
#pragma once

#include <functional>

#include "ink.h"
#include "libtrace-view/look/column_stacks.h"
#include "libtrace-view/rows/scale.h"
#include "libtrace-view/rows/track.h"
#include "svg_writer.h"

namespace evt::view {

// Where something is drawn, in points.
struct Place {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double bottom() const { return y + height; }
};

// What is there at all has so much of a row's height.
inline constexpr double kLeastHeight = 0.6;

class TrackDrawing {
 public:
  TrackDrawing(SvgWriter& svg, const Ink& ink, const Scale& scale) : svg_(&svg), ink_(&ink), scale_(&scale) {}

  // How high the row of a track is drawn.
  static double height_of(const Track& track);
  void draw(const Track& track, const Place& place);

 private:
  double x_of(std::uint32_t column, const Place& place) const;
  void draw_states(const Track& track, const Place& place);
  void draw_spans(const Track& track, const Place& place);
  using Fill = std::function<std::string(Key)>;
  void draw_stack(const std::vector<Heights>& columns, const Place& place, const Fill& fill);
  void draw_bar(const std::vector<Heights>& columns, RowState state, const Place& place);
  void draw_counter(const Track& track, const Place& place);
  void draw_counts(const Track& track, const Place& place);
  void draw_marks(const Track& track, const Place& place);
  void draw_bands(const Track& track, const Place& place);
  void draw_life_names(const Track& track, const Place& place);
  void draw_span_names(const Track& track, const Place& place);

  SvgWriter* svg_;
  const Ink* ink_;
  const Scale* scale_;
};

}  // namespace evt::view
