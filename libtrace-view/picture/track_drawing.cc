#include "track_drawing.h"

#include <algorithm>
#include <cmath>

#include "font.h"
#include "libtrace-view/look/texts.h"

namespace evt::view {
namespace {

constexpr double kBar = 1.8;        // of what waits, at the base
constexpr double kLeastBand = 1.2;  // that a loss is wide, at least
constexpr double kTextMargin = 1.5;

// What is left of a column when what is not stacked was taken away.
Heights stacked_part(Heights shares) {
  for (Key key = 0; key < kRowStates; ++key) {
    if (!is_stacked(key)) shares[key] = 0;
  }
  return shares;
}

}  // namespace

double TrackDrawing::height_of(const Track& track) {
  switch (track.kind) {
    case TrackKind::kCpus:
      return 36;
    case TrackKind::kCpu:
      return 18;
    case TrackKind::kCounter:
      return 22;
    case TrackKind::kEvents:
      return 16;
    case TrackKind::kSpan:
    case TrackKind::kAsync:
      return 8;
    default:
      return 9;
  }
}

double TrackDrawing::x_of(std::uint32_t column, const Place& place) const {
  return place.x + place.width * column / scale_->columns();
}

void TrackDrawing::draw(const Track& track, const Place& place) {
  if (track.kind == TrackKind::kCpu || track.kind == TrackKind::kCpus || track.kind == TrackKind::kCounter) {
    svg_->line(place.x, place.bottom(), place.x + place.width, place.bottom(), colors::kLine);
  }
  switch (track.kind) {
    case TrackKind::kCounter:
      draw_counter(track, place);
      break;
    case TrackKind::kMark:
      draw_marks(track, place);
      break;
    case TrackKind::kEvents:
      draw_counts(track, place);
      break;
    case TrackKind::kSpan:
    case TrackKind::kAsync:
      draw_spans(track, place);
      break;
    default:
      draw_states(track, place);
  }
  draw_bands(track, place);
  if (track.kind == TrackKind::kThread) draw_life_names(track, place);
  if (is_named(track.kind)) draw_span_names(track, place);
}

void TrackDrawing::draw_states(const Track& track, const Place& place) {
  std::vector<Heights> columns = shares_of(track, *scale_);
  draw_bar(columns, RowState::kUnknown, place);
  draw_bar(columns, RowState::kWaiting, place);
  for (Heights& column : columns) column = stacked(stacked_part(column), place.height, kLeastHeight);
  draw_stack(columns, place, [this](Key key) { return ink_->of(static_cast<RowState>(key)); });
}

void TrackDrawing::draw_spans(const Track& track, const Place& place) {
  std::vector<Heights> columns = shares_of(track, *scale_);
  for (Heights& column : columns) column = stacked(column, place.height, kLeastHeight);
  draw_stack(columns, place, [this](Key hue) { return ink_->of_hue(hue); });
}

// One polygon for each key, from the base to its top, the highest first: those below are drawn over it, so that no seam
// shows between two of them.
void TrackDrawing::draw_stack(const std::vector<Heights>& columns, const Place& place, const Fill& fill) {
  for (Key key = kKeys; key-- > 0;) {
    const auto is_here = [key](const Heights& column) { return column[key] > 0; };
    if (std::none_of(columns.begin(), columns.end(), is_here)) continue;
    StepPath path;
    path.move_to(place.x, place.bottom());
    for (std::uint32_t i = 0; i < columns.size(); ++i) {
      double top = 0;
      for (Key below = 0; below <= key; ++below) top += columns[i][below];
      path.horizontal_to(x_of(i, place));
      path.vertical_to(place.bottom() - (is_here(columns[i]) ? top : 0));
    }
    path.horizontal_to(place.x + place.width);
    path.vertical_to(place.bottom());
    path.close();
    svg_->path(path, fill(key));
  }
}

void TrackDrawing::draw_bar(const std::vector<Heights>& columns, RowState state, const Place& place) {
  std::vector<Heights> bars(columns.size(), Heights{});
  for (std::size_t i = 0; i < columns.size(); ++i) bars[i][0] = columns[i][key_of(state)] > 0 ? kBar : 0;
  draw_stack(bars, place, [&](Key) { return ink_->of(state); });
}

void TrackDrawing::draw_counter(const Track& track, const Place& place) {
  const auto [least, largest] = value_range(track.values);
  const double min = least;
  const double unit = largest > min ? place.height / (largest - min) : 0;
  const auto y_of = [&](double value) { return place.bottom() - (value - min) * unit; };
  const auto draw_values = [&](auto lowest, auto highest, const std::string& fill) {
    StepPath path;
    for (std::uint32_t i = 0; i < track.values.size();) {
      const std::uint32_t first = i;
      const ValueColumn& column = track.values[first];
      const auto goes_on = [&](const ValueColumn& next) {
        return !next.is_empty() && lowest(next) == lowest(column) && highest(next) == highest(column);
      };
      do {
        ++i;
      } while (i < track.values.size() && goes_on(track.values[i]));
      if (column.is_empty()) continue;
      path.move_to(x_of(first, place), y_of(lowest(column)) + 0.3);
      path.vertical_to(y_of(highest(column)) - 0.3);
      path.horizontal_to(x_of(i, place));
      path.vertical_to(y_of(lowest(column)) + 0.3);
      path.close();
    }
    svg_->path(path, fill);
  };
  const auto min_of = [](const ValueColumn& column) { return column.min; };
  const auto max_of = [](const ValueColumn& column) { return column.max; };
  const auto mean_of = [](const ValueColumn& column) { return column.mean(); };
  draw_values(min_of, max_of, ink_->of_counter_band());
  draw_values(mean_of, mean_of, ink_->of_accent());
}

// By the square root, so that few are seen beside many.
void TrackDrawing::draw_counts(const Track& track, const Place& place) {
  const std::uint64_t most = *std::max_element(track.counts.begin(), track.counts.end());
  std::vector<Heights> columns(track.counts.size(), Heights{});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (track.counts[i] == 0) continue;
    const double share = std::sqrt(static_cast<double>(track.counts[i]) / static_cast<double>(most));
    columns[i][0] = std::max(share * place.height, kLeastHeight);
  }
  draw_stack(columns, place, [this](Key) { return ink_->of_accent(); });
}

// A line for each column with marks, and behind it what the first of them is called, as far as there is room.
void TrackDrawing::draw_marks(const Track& track, const Place& place) {
  constexpr double kWidth = 0.8;
  constexpr double kSize = 6;
  for (std::uint32_t i = 0; i < track.counts.size(); ++i) {
    if (track.counts[i] > 0) svg_->rectangle(x_of(i, place), place.y, kWidth, place.height, ink_->of_accent());
  }
  double free = place.x;
  for (std::size_t i = 0; i < track.labels.size(); ++i) {
    const double x = x_of(track.labels[i].first, place) + kWidth + kTextMargin;
    const bool is_last = i + 1 == track.labels.size();
    const double end = is_last ? place.x + place.width : x_of(track.labels[i + 1].first, place) - kTextMargin;
    const std::string text = shortened(harmless(track.labels[i].text), kSize, end - x);
    if (x < free || text.empty()) continue;
    svg_->text(x, place.bottom() - 2.5, text, {.size = kSize});
    free = x + text_width(text, kSize);
  }
}

void TrackDrawing::draw_bands(const Track& track, const Place& place) {
  const auto draw = [&](const Bands& bands, const std::string& fill) {
    for (const Bands::Run& run : bands.runs()) {
      const double x = x_of(run.first, place);
      svg_->rectangle(x, place.y, std::max(x_of(run.end, place) - x, kLeastBand), place.height, fill);
    }
  };
  draw(track.uncertain, ink_->of_uncertain());
  draw(track.stopped, ink_->of_stopped());
  draw(track.lost, ink_->of_lost());
}

// Where several threads have one row.
void TrackDrawing::draw_life_names(const Track& track, const Place& place) {
  constexpr double kSize = 5.5;
  if (track.labels.size() < 2) return;
  for (const TrackLabel& label : track.labels) {
    const double x = x_of(label.first, place) + kTextMargin;
    const std::string text = harmless(label.text);
    if (text_width(text, kSize) + kTextMargin > x_of(label.end, place) - x) continue;
    svg_->text(x, place.bottom() - 2.8, text, {.size = kSize, .has_halo = true});
  }
}

void TrackDrawing::draw_span_names(const Track& track, const Place& place) {
  constexpr double kSize = 6;
  constexpr double kLeastText = 14;
  for (const TrackLabel& label : track.labels) {
    const double x = x_of(label.first, place);
    const double width = x_of(label.end, place) - x - 2 * kTextMargin;
    svg_->line(x, place.y, x, place.bottom(), colors::kWhite);
    const std::string text = width < kLeastText ? "" : shortened(harmless(label.text), kSize, width);
    if (!text.empty()) svg_->text(x + kTextMargin, place.bottom() - 2.2, text, {.size = kSize});
  }
}

}  // namespace evt::view
