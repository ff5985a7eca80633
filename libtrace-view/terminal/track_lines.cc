#include "track_lines.h"

#include <algorithm>
#include <cmath>

#include "libtrace-view/look/texts.h"
#include "libtrace-view/look/value_range.h"

namespace evt::view {
namespace {

constexpr double kEighths = 8;
constexpr std::size_t kOverviewLines = 4;

constexpr const char* kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr const char* kRamp[] = {" ", ".", ".", ":", ":", "=", "=", "#", "#"};

// Where states have no colours.
constexpr const char* kLetters[kRowStates] = {"#", "g", "i", "i", "r", "/", "_", "?"};

std::size_t lines_for(const Track& track) { return track.kind == TrackKind::kCpus ? kOverviewLines : 1; }

}  // namespace

std::string TrackLines::level(double eighths) const {
  const auto place = static_cast<std::size_t>(std::clamp(std::ceil(eighths - 1e-9), 0.0, kEighths));
  return has_blocks_ ? kBlocks[place] : kRamp[place];
}

std::string TrackLines::shown(const std::string& text) const {
  return has_blocks_ ? harmless(text) : as_ascii(harmless(text));
}

Glyph TrackLines::sample_of(RowState state) const {
  if (state == RowState::kRunning) return {level(kEighths), color_of(state)};
  if (!has_color_) return {kLetters[static_cast<std::size_t>(state)]};
  return {is_stacked(key_of(state)) ? level(kEighths) : level(1), color_of(state)};
}
Glyph TrackLines::sample_of_loss() const { return {"!", colors::kWhite, colors::kLost}; }
Glyph TrackLines::sample_of_uncertainty() const { return {"~", colors::kWhite, color_of(RowState::kRunning)}; }
Glyph TrackLines::sample_of_stop() const { return {"=", colors::kWhite, colors::kStopped}; }

std::vector<Glyphs> TrackLines::lines_of(const Track& track) const {
  switch (track.kind) {
    case TrackKind::kCounter:
      return {counter(track)};
    case TrackKind::kMark:
      return {marks(track)};
    case TrackKind::kEvents:
      return {counts(track)};
    default:
      return states(track);
  }
}

std::vector<Glyphs> TrackLines::states(const Track& track) const {
  const bool is_span = track.kind == TrackKind::kSpan;
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
        glyph = colored(heights, from, is_span);
      } else {
        glyph = plain(shares, height, from);
      }
    }
  }
  if (is_span) add_names(track, &lines.back());
  add_bands(track, &lines.back());
  return lines;
}

// What is on top of the lowest, where there is any, is behind it: the largest of the rest.
Glyph TrackLines::colored(const Heights& eighths, double from, bool is_span) const {
  double at = 0;
  double lowest = 0;
  double largest = 0;
  Glyph glyph;
  for (Key key = 0; key < kKeys; ++key) {
    const double top = std::min(at + eighths[key], from + kEighths);
    const double here = top - std::max(at, from);
    at += eighths[key];
    if (here <= 1e-9) continue;
    const Color color = is_span ? color_of_hue(key) : color_of(static_cast<RowState>(key));
    if (lowest == 0) {
      lowest = here;
      glyph.text = level(here);
      glyph.fore = color;
    } else if (here > largest) {
      largest = here;
      glyph.back = color;
    }
  }
  // More than half of what is above has nothing in it.
  if (glyph.back && largest < (kEighths - lowest) / 2) {
    glyph.text = level(std::min(kEighths, lowest + largest));
    if (largest > lowest) glyph.fore = glyph.back;
    glyph.back.reset();
  }
  return glyph;
}

// The longest state of the column; running by how long it was.
Glyph TrackLines::plain(const Heights& shares, double height, double from) const {
  double all = 0;
  for (const double share : shares) all += share;
  const auto longest = static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  const double here = std::min(std::max(all * height, 1.0) - from, kEighths);
  if (here <= 0) return {};
  return {longest == key_of(RowState::kRunning) ? level(here) : kLetters[longest]};
}

Glyph TrackLines::base(const Heights& shares) const {
  for (const RowState state : {RowState::kWaiting, RowState::kUnknown}) {
    if (shares[key_of(state)] > 0) return sample_of(state);
  }
  return {};
}

Glyphs TrackLines::counter(const Track& track) const {
  const auto [min, max] = value_range(track);
  Glyphs line(scale_->columns());
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    if (track.values[i].is_empty()) continue;
    const double share = max > min ? (track.values[i].max - min) / (max - min) : 0;
    line[i] = {level(std::max(share * kEighths, 1.0)), colors::kAccent};
  }
  add_bands(track, &line);
  return line;
}

Glyphs TrackLines::counts(const Track& track) const {
  const std::uint64_t most = *std::max_element(track.counts.begin(), track.counts.end());
  Glyphs line(scale_->columns());
  for (std::size_t i = 0; i < track.counts.size(); ++i) {
    if (track.counts[i] == 0) continue;
    const double share = std::sqrt(static_cast<double>(track.counts[i]) / static_cast<double>(most));
    line[i] = {level(std::max(share * kEighths, 1.0)), colors::kAccent};
  }
  add_bands(track, &line);
  return line;
}

Glyphs TrackLines::marks(const Track& track) const {
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
    if (track.counts[i] > 0) line[i] = {"|", colors::kAccent};
  }
  return line;
}

void TrackLines::add_names(const Track& track, Glyphs* line) const {
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

void TrackLines::add_bands(const Track& track, Glyphs* line) const {
  const auto add = [&](const Bands& bands, const Glyph& glyph) {
    for (const Bands::Run& run : bands.runs()) std::fill(line->begin() + run.first, line->begin() + run.end, glyph);
  };
  add(track.uncertain, sample_of_uncertainty());
  add(track.stopped, sample_of_stop());
  add(track.lost, sample_of_loss());
}

}  // namespace evt::view
