// Rows of traces as a figure on paper.
#pragma once

#include <string>
#include <vector>

#include "libtrace-view/rows/panel.h"

namespace evt::view {

struct PictureOptions {
  double width = 493.2;  // pt; 174 mm
  bool black_and_white = false;
  std::string title;
  std::string description;
};

inline constexpr double kLeastWidth = 100;
inline constexpr double kMostWidth = 5000;

// Into how many columns to divide the time of a picture of this width.
std::uint32_t columns_for(double width);
// The same bytes for the same rows.
std::string svg_of(const std::vector<Panel>& panels, const PictureOptions& options);

}  // namespace evt::view
