#include "flame_picture.h"

#include "font.h"
#include "ink.h"
#include "libtrace-view/look/texts.h"
#include "libtrace-view/rows/span_rows.h"
#include "svg_writer.h"

namespace evt::view {
namespace {

constexpr double kHeading = 13;
constexpr double kHeadingSize = 7.5;
constexpr double kRow = 10;
constexpr double kGap = 0.4;  // between boxes
constexpr double kNameSize = 6.5;
constexpr double kNameMargin = 1.5;
constexpr double kBelow = 8;
constexpr double kLeastWide = 1;

double height_of(const FlameGraph& graph) { return kHeading + kRow * graph.tree.depth() + kBelow; }

void draw(SvgWriter& svg, const Ink& ink, const FlameGraph& graph, bool inverted, double width, double y) {
  svg.text(0, y + 8, shortened(harmless(graph.heading), kHeadingSize, width), {.size = kHeadingSize});
  const std::uint32_t depth = graph.tree.depth();
  const double by_ns = width / static_cast<double>(graph.tree.total());
  for (const FlameTree::Box& box : graph.tree.boxes()) {
    const double left = static_cast<double>(box.from) * by_ns;
    const double wide = static_cast<double>(box.sum) * by_ns;
    const double top = y + kHeading + kRow * (inverted ? box.depth : depth - 1 - box.depth);
    svg.begin_group(graph.tree.sentence(box));
    svg.rectangle(left, top, wide > 3 * kGap ? wide - kGap : wide, kRow - kGap,
                  box.depth == 0 ? hex(colors::kLine) : ink.of_hue(hue_of(box.name)));
    const std::string name = shortened(harmless(box.name), kNameSize, wide - 2 * kNameMargin);
    if (!name.empty()) svg.text(left + kNameMargin, top + 7, name, {.size = kNameSize});
    svg.end_group();
  }
}

}  // namespace

std::string svg_of(const std::vector<FlameGraph>& graphs, bool inverted, const PictureOptions& options) {
  double height = 0;
  for (const FlameGraph& graph : graphs) height += height_of(graph);
  SvgWriter svg(options.width, height, options.title, options.description);
  const Ink ink(options.black_and_white);
  double y = 0;
  for (const FlameGraph& graph : graphs) {
    draw(svg, ink, graph, inverted, options.width, y);
    y += height_of(graph);
  }
  return svg.finish();
}

std::uint64_t flame_parts(double width) { return static_cast<std::uint64_t>(width / kLeastWide); }

}  // namespace evt::view
