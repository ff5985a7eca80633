#include "terminal_picture.h"

#include <algorithm>

#include "libtrace-view/look/axis.h"
#include "libtrace-view/look/headings.h"
#include "libtrace-view/look/ruler.h"
#include "libtrace-view/look/texts.h"
#include "libtrace-view/look/words.h"
#include "libtrace-view/rows/panel.h"
#include "track_lines.h"

namespace evt::view {
namespace {

// For names, and a space behind them.
std::uint32_t gutter_of(std::uint32_t width) { return std::clamp(width / 5, 8u, 40u); }

constexpr std::uint32_t kTickColumns = 12;
constexpr std::size_t kMostOfName = 24;  // in the legend

}  // namespace

std::uint32_t TerminalPicture::columns_of(std::uint32_t width) {
  return std::max(width, gutter_of(width) + 8) - gutter_of(width);
}

std::string TerminalPicture::shown(const std::string& name, std::size_t width) const {
  const std::string text = options_.has_blocks ? harmless(name) : as_ascii(harmless(name));
  return fitted(text, width, options_.has_blocks ? "…" : "~");
}

std::string TerminalPicture::in_gutter(const std::string& name) const {
  const std::size_t width = gutter_of(options_.width) - std::size_t{1};
  const std::string text = shown(name, width);
  return text + std::string(width + 1 - width_of(text), ' ');
}

std::string TerminalPicture::text_of(const std::vector<Panel>& panels) const {
  std::string text;
  for (const Panel& panel : panels) {
    if (panels.size() > 1) text += (text.empty() ? "" : "\n") + harmless(panel.heading) + "\n";
    text += ruler_of(panel) + rows_of(panel);
  }
  return text + legend_of(panels);
}

std::string TerminalPicture::rows_of(const Panel& panel) const {
  const TrackLines lines(panel.scale, has_color(), options_.has_blocks);
  std::string text;
  for (std::size_t i = 0; i < panel.tracks.size(); ++i) {
    const Track& track = panel.tracks[i];
    for (const Heading& heading : headings_above(panel, i)) text += shown(heading.text, options_.width) + "\n";
    std::vector<std::string> names = {track.name};
    if (track.kind == TrackKind::kCounter) names.push_back(range_text(track));
    for (const Glyphs& line : lines.lines_of(track)) {
      std::string row = in_gutter(names.empty() ? "" : names.front()) + evt::view::text_of(line, options_.colors);
      if (!names.empty()) names.erase(names.begin());
      row.erase(row.find_last_not_of(' ') + 1);
      text += row + "\n";
    }
  }
  return text;
}

std::string TerminalPicture::ruler_of(const Panel& panel) const {
  const Ruler ruler(panel.scale, std::max(panel.scale.columns() / kTickColumns, 1u));
  std::string text = in_gutter(ruler.base);
  const std::size_t start = gutter_of(options_.width);
  std::size_t used = start;
  for (const RulerTick& tick : ruler.ticks) {
    const std::size_t at = start + panel.scale.column_of(tick.ns);
    const std::string name = "|" + tick.text;
    if (at < used || at + name.size() > start + panel.scale.columns()) continue;
    text += std::string(at - used, ' ') + name;
    used = at + name.size();
  }
  return text + "\n";
}

std::string TerminalPicture::legend_of(const std::vector<Panel>& panels) const {
  const TrackLines lines(panels.front().scale, has_color(), options_.has_blocks);
  std::string text;
  std::size_t used = 0;
  const auto add = [&](const Glyph& glyph, const std::string& label) {
    const std::size_t width = label.size() + 5;
    if (used > 0 && used + width > options_.width) {
      text += "\n";
      used = 0;
    }
    text += (used > 0 ? "   " : "") + evt::view::text_of({glyph}, options_.colors) + " " + label;
    used += width;
  };
  const Contents contents(panels);
  for (const RowState state : contents.states) {
    const bool is_idle_collector = state == RowState::kCollectorIdle || state == RowState::kCollectorSync;
    const bool is_both = contents.has(RowState::kCollectorIdle) && contents.has(RowState::kCollectorSync);
    // Without colours these two have one letter.
    if (has_color() || !is_idle_collector || !is_both) {
      add(lines.sample_of(state), word_of(state));
    } else if (state == RowState::kCollectorSync) {
      add(lines.sample_of(state), kCollectorWaitsOrIdle);
    }
  }
  if (contents.has_uncertain) add(lines.sample_of_uncertainty(), word_of(RowBand::kUncertain));
  if (contents.has_stopped) add(lines.sample_of_stop(), word_of(RowBand::kStopped));
  if (contents.has_lost) add(lines.sample_of_loss(), word_of(RowBand::kLost));
  if (has_color()) {
    for (const Contents::SpanName& span : contents.spans) {
      add(lines.sample_of_hue(span.hue), shown(span.name, kMostOfName));
    }
    if (contents.has_other_spans) add({" "}, kOtherSpans);
  }
  return text.empty() ? "" : text + "\n";
}

}  // namespace evt::view
