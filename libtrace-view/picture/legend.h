// What the colours and textures of a picture mean.
#pragma once

#include <string>
#include <vector>

#include "ink.h"
#include "libtrace-view/rows/panel.h"
#include "svg_writer.h"

namespace evt::view {

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

}  // namespace evt::view
