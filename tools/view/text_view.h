// A timeline on standard output.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <vector>

#include "libtrace-view/rows/panel.h"

namespace evt::tools {

class TextView {
 public:
  // With colours, of which the terminal has as many as its environment states.
  explicit TextView(bool has_color) : has_color_(has_color) {}

  // Of the terminal's width, those that are of rows.
  static std::uint32_t columns();
  Status print(const std::vector<view::Panel>& panels) const;

 private:
  bool has_color_;
};

}  // namespace evt::tools
