#include "picture.h"

#include <algorithm>
#include <cmath>

#include "font.h"
#include "ink.h"
#include "libtrace-view/look/axis.h"
#include "libtrace-view/look/headings.h"
#include "libtrace-view/look/ruler.h"
#include "libtrace-view/look/texts.h"
#include "libtrace-view/look/words.h"
#include "svg_writer.h"
#include "track_drawing.h"

namespace evt::view {
namespace {

// What the colours and textures of a picture mean.
class Legend {
 public:
  // Of what is in the rows, and of nothing else.
  Legend(const std::vector<Panel>& panels, const Ink& ink, double width);

  double height() const;
  void draw(SvgWriter& svg, double x, double y) const;

 private:
  struct Entry {
    std::string fill;
    std::string under;  // what the fill is drawn on; empty: nothing
    std::string label;
    double x = 0;
    std::size_t line = 0;
  };

  std::vector<Entry> entries_;
};

constexpr double kLegendSize = 7;
constexpr double kBox = 6.5;
constexpr double kTextAt = 9.5;
constexpr double kEntryGap = 14;
constexpr double kLegendLine = 11;
constexpr double kMostOfName = 120;

Legend::Legend(const std::vector<Panel>& panels, const Ink& ink, double width) {
  const Contents contents(panels);
  for (const RowState state : contents.states) entries_.push_back({ink.of(state), "", word_of(state)});
  if (contents.has_uncertain) {
    entries_.push_back({ink.of_uncertain(), ink.of(RowState::kRunning), word_of(RowBand::kUncertain)});
  }
  if (contents.has_stopped) entries_.push_back({ink.of_stopped(), "", word_of(RowBand::kStopped)});
  if (contents.has_lost) entries_.push_back({ink.of_lost(), "", word_of(RowBand::kLost)});
  for (const Contents::SpanName& span : contents.spans) {
    entries_.push_back({ink.of_hue(span.hue), "", shortened(harmless(span.name), kLegendSize, kMostOfName)});
  }
  if (contents.has_other_spans) entries_.push_back({ink.of_other_spans(), "", kOtherSpans});
  double x = 0;
  std::size_t line = 0;
  for (Entry& entry : entries_) {
    const double needed = kTextAt + text_width(entry.label, kLegendSize);
    if (x > 0 && x + needed > width) {
      x = 0;
      ++line;
    }
    entry.x = x;
    entry.line = line;
    x += needed + kEntryGap;
  }
}

double Legend::height() const {
  return entries_.empty() ? 0 : kLegendLine * static_cast<double>(entries_.back().line + 1);
}

void Legend::draw(SvgWriter& svg, double x, double y) const {
  for (const Entry& entry : entries_) {
    const double top = y + kLegendLine * static_cast<double>(entry.line);
    if (!entry.under.empty()) svg.rectangle(x + entry.x, top, kBox, kBox, entry.under);
    svg.rectangle(x + entry.x, top, kBox, kBox, entry.fill);
    svg.text(x + entry.x + kTextAt, top + 5.9, entry.label, {.size = kLegendSize});
  }
}

constexpr double kRulerSize = 7;
constexpr double kHeadingHeight = 12;
constexpr double kTitleHeight = 8;  // of a heading over rows
constexpr double kTitleSize = 5.5;
constexpr double kGroupSize = 7.5;
constexpr double kAxisSize = 5.5;
constexpr double kRulerHeight = 13;
constexpr double kTick = 50;       // least distance of ticks
constexpr double kGutter = 0.22;   // names have this part of the width, at most
constexpr double kNameMargin = 4;  // between names and rows

double name_size(const Track& track) {
  return is_named(track.kind) || track.kind == TrackKind::kThread || track.kind == TrackKind::kMark ? 6.5 : 7.5;
}

// Between a row and the one before.
double gap_before(const Track& before, const Track& track) {
  if (before.kind != track.kind) return before.kind == TrackKind::kThread && track.kind == TrackKind::kSpan ? 1 : 6;
  switch (track.kind) {
    case TrackKind::kSpan:
    case TrackKind::kAsync:
      return track.name.empty() ? 0.6 : 4;
    case TrackKind::kThread:
      return 2;
    default:
      return 4;
  }
}

// What is behind a row's name: how many events its height is.
std::string range_of(const Track& track) {
  if (track.kind != TrackKind::kEvents) return "";
  return "to " + std::to_string(*std::max_element(track.counts.begin(), track.counts.end())) + " events, sqrt";
}

// The room that the axis of a counter takes behind its name.
double axis_width(const Track& track) {
  if (track.kind != TrackKind::kCounter) return 0;
  double width = 0;
  for (const AxisTick& tick : axis_of(track)) width = std::max(width, text_width(tick.text, kAxisSize));
  return width + kNameMargin;
}

// Where everything is.
class Layout {
 public:
  Layout(const std::vector<Panel>& panels, const PictureOptions& options)
      : panels_(panels), options_(options), ink_(options.black_and_white) {
    double names = 0;
    for (const Panel& panel : panels) {
      for (const Track& track : panel.tracks) {
        const double name = text_width(name_of(panel, track), name_size(track)) + axis_width(track);
        names = std::max({names, name, text_width(range_of(track), kAxisSize)});
      }
    }
    left_ = std::min(std::ceil(names + kNameMargin), options.width * kGutter);
    right_ = 0;
    for (const Panel& panel : panels) right_ = std::max(right_, right_margin(panel));
  }

  std::string draw() {
    const double plot = options_.width - left_ - right_;
    const Legend legend(panels_, ink_, plot);
    double height = 2;
    for (const Panel& panel : panels_) height += height_of(panel);
    const double legend_at = height;
    if (legend.height() > 0) height += legend.height() + 1;
    SvgWriter svg(options_.width, height, options_.title, options_.description);
    svg.patterns(ink_.patterns());
    double y = 2;
    for (const Panel& panel : panels_) {
      draw(svg, panel, y);
      y += height_of(panel);
    }
    legend.draw(svg, left_, legend_at);
    return svg.finish();
  }

 private:
  bool has_headings() const { return panels_.size() > 1; }
  static std::string name_of(const Panel& panel, const Track& track) {
    const auto place = static_cast<std::size_t>(&track - panel.tracks.data());
    return harmless(is_whole_process(panel, place) ? process_name(panel.groups[track.group], track) : track.name);
  }
  double plot_width() const { return options_.width - left_ - right_; }
  double x_of(const Panel& panel, std::int64_t ns) const {
    return left_ +
           static_cast<double>(ns - panel.scale.from_ns()) / static_cast<double>(panel.scale.length()) * plot_width();
  }
  Ruler ruler_of(const Panel& panel) const {
    return {panel.scale, static_cast<std::uint32_t>(std::max(2.0, (options_.width - left_) / kTick))};
  }

  // What the last tick's text needs behind the plot.
  double right_margin(const Panel& panel) const {
    const Ruler ruler = ruler_of(panel);
    if (ruler.ticks.empty()) return kNameMargin;
    const RulerTick& last = ruler.ticks.back();
    const double behind =
        static_cast<double>(panel.scale.to_ns() - last.ns) / static_cast<double>(panel.scale.length());
    const double needed = text_width(last.text, kRulerSize) / 2 - behind * (options_.width - left_) * 0.9;
    return std::max(kNameMargin, std::ceil(needed));
  }

  // Where the headings over a track begin, and the track behind them.
  struct Row {
    double top = 0;
    Place place;
    std::vector<Heading> headings;
  };

  std::vector<Row> rows_of(const Panel& panel, double y) const {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < panel.tracks.size(); ++i) {
      Row row;
      row.headings = headings_above(panel, i);
      if (is_whole_process(panel, i)) std::erase_if(row.headings, [](const Heading& each) { return each.is_group; });
      if (i > 0) y += gap_before(panel.tracks[i - 1], panel.tracks[i]);
      row.top = y;
      for (const Heading& heading : row.headings) y += heading.is_group ? kHeadingHeight : kTitleHeight;
      row.place = {left_, y, plot_width(), TrackDrawing::height_of(panel.tracks[i])};
      y = row.place.bottom();
      rows.push_back(std::move(row));
    }
    return rows;
  }
  double rows_height(const Panel& panel) const {
    return panel.tracks.empty() ? 0 : rows_of(panel, 0).back().place.bottom();
  }
  double height_of(const Panel& panel) const {
    return (has_headings() ? kHeadingHeight : 0) + kRulerHeight + rows_height(panel) + 8;
  }

  void draw(SvgWriter& svg, const Panel& panel, double y) const {
    if (has_headings()) {
      svg.text(0, y + 7, shortened(harmless(panel.heading), 8, options_.width), {.size = 8});
      y += kHeadingHeight;
    }
    draw_ruler(svg, panel, y);
    y += kRulerHeight;
    TrackDrawing drawing(svg, ink_, panel.scale);
    const std::vector<Row> rows = rows_of(panel, y);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      draw_headings(svg, rows[i]);
      draw_name(svg, panel, panel.tracks[i], rows[i].place);
      drawing.draw(panel.tracks[i], rows[i].place);
    }
  }

  void draw_headings(SvgWriter& svg, const Row& row) const {
    double y = row.top;
    for (const Heading& heading : row.headings) {
      const double size = heading.is_group ? kGroupSize : kTitleSize;
      if (heading.is_group) svg.line(0, y + 1.5, options_.width, y + 1.5, colors::kLine);
      svg.text(0, y + (heading.is_group ? 9 : 5.5), shortened(harmless(heading.text), size, options_.width),
               {.size = size, .color = heading.is_group ? colors::kText : colors::kMuted});
      y += heading.is_group ? kHeadingHeight : kTitleHeight;
    }
  }

  void draw_ruler(SvgWriter& svg, const Panel& panel, double y) const {
    const Ruler ruler = ruler_of(panel);
    const double bottom = y + kRulerHeight + rows_height(panel);
    double free = 0;
    if (!ruler.base.empty()) {
      svg.text(0, y + 6.5, ruler.base, {.size = kRulerSize, .color = colors::kMuted});
      free = text_width(ruler.base, kRulerSize) + kNameMargin;
    }
    for (const RulerTick& tick : ruler.ticks) {
      const double x = x_of(panel, tick.ns);
      svg.line(x, y + 8.5, x, bottom, colors::kLine, 0.35);
      if (x - text_width(tick.text, kRulerSize) / 2 < free) continue;
      svg.text(x, y + 6.5, tick.text, {.size = kRulerSize, .color = colors::kMuted, .anchor = Anchor::kMiddle});
    }
  }

  void draw_name(SvgWriter& svg, const Panel& panel, const Track& track, const Place& place) const {
    const double size = name_size(track);
    const std::string range = range_of(track);
    const double middle = place.y + place.height / 2 - (range.empty() ? 0 : 3.5);
    const double right = left_ - kNameMargin - axis_width(track);
    const std::string name = shortened(name_of(panel, track), size, right);
    if (!name.empty()) svg.text(right, middle + size * 0.35, name, {.size = size, .anchor = Anchor::kEnd});
    const TextStyle muted = {.size = kAxisSize, .color = colors::kMuted, .anchor = Anchor::kEnd};
    if (!range.empty()) svg.text(right, middle + 9, shortened(range, kAxisSize, right), muted);
    if (track.kind != TrackKind::kCounter) return;
    for (const AxisTick& tick : axis_of(track)) {
      const double y = place.bottom() - tick.part * place.height;
      svg.line(left_ - 2, y, left_, y, colors::kMuted);
      svg.text(left_ - 3, std::clamp(y + 2, place.y + 4, place.bottom()), tick.text, muted);
    }
  }

  const std::vector<Panel>& panels_;
  const PictureOptions& options_;
  Ink ink_;
  double left_ = 0;
  double right_ = 0;
};

}  // namespace

// About 216 of an inch: finer than a screen, and what paper shows of one color.
std::uint32_t columns_for(double width) { return static_cast<std::uint32_t>(std::lround(width * 3 * 0.85)); }

std::string svg_of(const std::vector<Panel>& panels, const PictureOptions& options) {
  return Layout(panels, options).draw();
}

}  // namespace evt::view
