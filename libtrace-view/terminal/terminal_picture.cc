#include "terminal_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "libtrace-view/look/axis.h"
#include "libtrace-view/look/column_stacks.h"
#include "libtrace-view/look/headings.h"
#include "libtrace-view/look/ruler.h"
#include "libtrace-view/look/texts.h"
#include "libtrace-view/look/words.h"
#include "libtrace-view/rows/scale.h"
#include "libtrace-view/rows/track.h"

namespace evt::view {
namespace {

constexpr double kEighths = 8;
constexpr std::size_t kOverviewLines = 4;
constexpr std::size_t kCounterLines = 2;

constexpr const char* kShade = "░";  // outside: that much of another color would be all that is seen

// By RowState: of the hues that they have on paper, and of a middle lightness, as the ground may be black or white.
constexpr Color kColors[kRowStates] = {{0x34, 0x9e, 0x66}, {0xfb, 0x95, 0x21}, {0xe0, 0x9a, 0x50}, {0xd8, 0xb4, 0x8a},
                                       {0x6b, 0xa1, 0xd5}, {0xa8, 0x55, 0xd8}, {0x8a, 0x93, 0xa3}, {0x8a, 0x93, 0xa3}};
constexpr Color kValues{0x6b, 0x84, 0xf0};

Color shown_color(RowState state) { return kColors[static_cast<std::size_t>(state)]; }

// Where states have no colours.
constexpr const char* kLetters[kRowStates] = {"#", "g", "i", "i", "r", "/", "_", "?"};

// How much of each key is in the line of a stack that begins at this height.
Heights part_of(const Heights& eighths, double from) {
  Heights part{};
  double at = 0;
  for (std::size_t key = 0; key < eighths.size(); ++key) {
    const double here = std::min(at + eighths[key], from + kEighths) - std::max(at, from);
    at += eighths[key];
    part[key] = here > 1e-9 ? here : 0;
  }
  return part;
}

std::size_t lines_for(const Track& track) { return track.kind == TrackKind::kCpus ? kOverviewLines : 1; }

// One row of a terminal's picture.
class TrackLines {
 public:
  TrackLines(const Scale& scale, bool has_color, bool has_blocks)
      : scale_(&scale), has_color_(has_color), has_blocks_(has_blocks) {}

  // From the top to the base.
  std::vector<Glyphs> lines_of(const Track& track) const {
    switch (track.kind) {
      case TrackKind::kCounter:
        return counter(track);
      case TrackKind::kMark:
        return {marks(track)};
      case TrackKind::kEvents:
        return {counts(track)};
      default:
        return states(track);
    }
  }

  // What a legend has of a state, and of events that were lost.
  Glyph sample_of(RowState state) const {
    if (state == RowState::kRunning) return {level(kEighths), shown_color(state)};
    if (!has_color_) return {kLetters[static_cast<std::size_t>(state)]};
    if (state == RowState::kOutside) return {has_blocks_ ? kShade : kLetters[key_of(state)], shown_color(state)};
    return {is_stacked(key_of(state)) ? level(kEighths) : level(1), shown_color(state)};
  }

  Glyph sample_of_loss() const { return {"!", colors::kWhite, colors::kLost}; }
  Glyph sample_of_uncertainty() const { return {"~", colors::kWhite, shown_color(RowState::kRunning)}; }
  Glyph sample_of_stop() const { return {"=", colors::kWhite, colors::kStopped}; }
  Glyph sample_of_hue(Key hue) const { return {level(8), color_of_hue(hue)}; }

 private:
  std::vector<Glyphs> states(const Track& track) const {
    const bool is_span = is_named(track.kind);
    const std::size_t count = lines_for(track);
    const double height = kEighths * static_cast<double>(count);
    std::vector<Glyphs> lines(count, Glyphs(scale_->columns()));
    const std::vector<Heights> columns = shares_of(track, *scale_);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      Heights shares = columns[i];
      for (Key key = 0; key < kRowStates && !is_span; ++key) shares[key] = is_stacked(key) ? shares[key] : 0;
      const bool is_empty = std::all_of(shares.begin(), shares.end(), [](double share) { return share == 0; });
      const Heights heights = stacked(shares, height, 1);
      for (std::size_t line = 0; line < count; ++line) {
        const double from = kEighths * static_cast<double>(count - 1 - line);
        Glyph& glyph = lines[line][i];
        if (is_empty && !is_span && from == 0) {
          glyph = base(columns[i]);
        } else if (has_color_ || is_span) {
          glyph = colored(part_of(heights, from), is_span);
        } else {
          glyph = plain(part_of(heights, from));
        }
      }
    }
    if (is_span) add_names(track, &lines.back());
    add_bands(track, &lines.back());
    return lines;
  }

  // What is on top of the lowest, where there is any, is behind it: the largest of the rest.
  Glyph colored(const Heights& part, bool is_span) const {
    const auto lowest = std::find_if(part.begin(), part.end(), [](double here) { return here > 0; });
    if (lowest == part.end()) return {};
    const auto color_at = [&](Heights::const_iterator at) {
      const auto key = static_cast<Key>(at - part.begin());
      return is_span ? color_of_hue(key) : shown_color(static_cast<RowState>(key));
    };
    const auto largest = std::max_element(lowest + 1, part.end());
    const auto outside = part.begin() + key_of(RowState::kOutside);
    if (!is_span && *outside > 0 && (lowest == outside || (largest == outside && *outside > *lowest))) {
      return sample_of(RowState::kOutside);
    }
    const double rest = largest == part.end() ? 0 : *largest;
    const bool has_ground = rest > 0 && rest >= (kEighths - *lowest) / 2 && (is_span || largest != outside);
    if (has_ground) return {level(*lowest), color_at(lowest), color_at(largest)};
    // More than half of what is above has nothing in it.
    return {level(std::min(kEighths, *lowest + rest)), color_at(rest > *lowest ? largest : lowest)};
  }

  // The state that has the most of it; running by how much of it is filled.
  Glyph plain(const Heights& part) const {
    const double all = std::accumulate(part.begin(), part.end(), 0.0);
    if (all == 0) return {};
    const auto longest = static_cast<std::size_t>(std::max_element(part.begin(), part.end()) - part.begin());
    return {longest == key_of(RowState::kRunning) ? level(all) : kLetters[longest]};
  }

  Glyph base(const Heights& shares) const {
    for (const RowState state : {RowState::kWaiting, RowState::kUnknown}) {
      if (shares[key_of(state)] > 0) return sample_of(state);
    }
    return {};
  }

  std::vector<Glyphs> counter(const Track& track) const {
    const auto [min, max] = value_range(track.values);
    std::vector<Glyphs> lines(kCounterLines, Glyphs(scale_->columns()));
    for (std::size_t i = 0; i < track.values.size(); ++i) {
      if (track.values[i].is_empty()) continue;
      const double share = max > min ? (track.values[i].max - min) / (max - min) : 0;
      const double height = std::max(share * kEighths * kCounterLines, 1.0);
      for (std::size_t line = 0; line < kCounterLines; ++line) {
        const double from = kEighths * static_cast<double>(kCounterLines - 1 - line);
        if (height > from) lines[line][i] = {level(std::min(height - from, kEighths)), kValues};
      }
    }
    add_bands(track, &lines.back());
    return lines;
  }

  Glyphs counts(const Track& track) const {
    const std::uint64_t most = *std::max_element(track.counts.begin(), track.counts.end());
    Glyphs line(scale_->columns());
    for (std::size_t i = 0; i < track.counts.size(); ++i) {
      if (track.counts[i] == 0) continue;
      const double share = std::sqrt(static_cast<double>(track.counts[i]) / static_cast<double>(most));
      line[i] = {level(std::max(share * kEighths, 1.0)), kValues};
    }
    add_bands(track, &line);
    return line;
  }

  Glyphs marks(const Track& track) const {
    Glyphs line(scale_->columns());
    for (std::size_t i = 0; i < track.labels.size(); ++i) {
      const std::size_t from = track.labels[i].first + std::size_t{1};
      const std::size_t end = i + 1 < track.labels.size() ? track.labels[i + 1].first : line.size();
      const std::string text =
          end > from + 3 ? fitted(shown(track.labels[i].text), end - from - 1, has_blocks_ ? "…" : "~") : "";
      std::size_t to = from;
      for (std::size_t at = 0; at < text.size(); ++to) {
        const std::size_t next = next_character(text, at);
        line[to].text = text.substr(at, next - at);
        // A wide character has the next column too.
        if (width_of(line[to].text) == 2) line[++to].text.clear();
        at = next;
      }
    }
    for (std::size_t i = 0; i < track.counts.size(); ++i) {
      if (track.counts[i] > 0) line[i] = {"|", kValues};
    }
    return line;
  }

  void add_names(const Track& track, Glyphs* line) const {
    for (const TrackLabel& label : track.labels) {
      const std::string text = fitted(shown(label.text), label.end - label.first - 1, has_blocks_ ? "…" : "~");
      std::size_t to = label.first;
      const std::optional<Color> hue = (*line)[std::min<std::size_t>(to + 1, line->size() - 1)].fore;
      for (std::size_t at = 0; at < text.size(); ++to) {
        const std::size_t next = next_character(text, at);
        Glyph& glyph = (*line)[to];
        glyph = {text.substr(at, next - at), colors::kText, hue};
        if (width_of(glyph.text) == 2) (*line)[++to] = {"", colors::kText, hue};
        at = next;
      }
    }
  }

  void add_bands(const Track& track, Glyphs* line) const;
  std::string level(double eighths) const { return bar_of(eighths, has_blocks_); }

  std::string shown(const std::string& text) const { return has_blocks_ ? harmless(text) : as_ascii(harmless(text)); }

  const Scale* scale_;
  bool has_color_;
  bool has_blocks_;
};

void TrackLines::add_bands(const Track& track, Glyphs* line) const {
  const auto add = [&](const Bands& bands, const Glyph& glyph) {
    for (const Bands::Run& run : bands.runs()) std::fill(line->begin() + run.first, line->begin() + run.end, glyph);
  };
  add(track.uncertain, sample_of_uncertainty());
  add(track.stopped, sample_of_stop());
  add(track.lost, sample_of_loss());
}

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
