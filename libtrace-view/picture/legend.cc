#include "legend.h"

#include "font.h"
#include "libtrace-view/look/contents.h"

namespace evt::view {
namespace {

constexpr double kLegendSize = 7;
constexpr double kBox = 6.5;
constexpr double kTextAt = 9.5;
constexpr double kEntryGap = 14;
constexpr double kLegendLine = 11;

}  // namespace

Legend::Legend(const std::vector<Panel>& panels, const Ink& ink, double width) {
  const Contents contents(panels);
  for (const RowState state : contents.states) entries_.push_back({ink.of(state), "", label_of(state)});
  if (contents.has_uncertain) entries_.push_back({ink.of_uncertain(), ink.of(RowState::kRunning), "uncertain"});
  if (contents.has_stopped) entries_.push_back({ink.of_stopped(), "", "process stopped"});
  if (contents.has_lost) entries_.push_back({ink.of_lost(), "", "events lost"});
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

}  // namespace evt::view
