// Colours: those of spans are far from those of states, on every ground, and the page has the same.
#include "libtrace-view/look/palette.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "support/folder.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

using view::Color;

// As the eye sees differences (OKLab).
std::array<double, 3> seen(Color color) {
  const auto linear = [](std::uint8_t byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double r = linear(color.red), g = linear(color.green), b = linear(color.blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

double distance(Color a, Color b) {
  const auto [x, y] = std::pair(seen(a), seen(b));
  return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

// All values that the page's style has for a name: of the light theme and of the dark one.
std::vector<Color> in_page(const std::string& name) {
  static const std::string style = read_file(EVT_SOURCE_FOLDER "/tools/view/page/page.css");
  const std::regex value("--" + name + ": #([0-9a-f]{6});");
  std::vector<Color> found;
  for (std::sregex_iterator at(style.begin(), style.end(), value), end; at != end; ++at) {
    const unsigned long rgb = std::stoul((*at)[1].str(), nullptr, 16);
    found.push_back({static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8 & 255),
                     static_cast<std::uint8_t>(rgb & 255)});
  }
  return found;
}

TEST(Colors, OfSpansAreFarFromThoseOfStates) {
  std::vector<Color> states;
  for (view::Key key = 0; key < view::kRowStates; ++key) {
    states.push_back(view::color_of(static_cast<view::RowState>(key)));
  }
  for (const char* const name : {"running", "collecting", "could", "waits", "outside", "bg"}) {
    const std::vector<Color> of_themes = in_page(name);
    EXPECT_EQ(of_themes.size(), 2u) << name;
    states.insert(states.end(), of_themes.begin(), of_themes.end());
  }
  for (view::Key hue = 0; hue < view::kKeys; ++hue) {
    for (const Color& state : states) EXPECT_GE(distance(view::color_of_hue(hue), state), 0.1) << int{hue};
    for (view::Key other = 0; other < hue; ++other) {
      EXPECT_GE(distance(view::color_of_hue(hue), view::color_of_hue(other)), 0.07) << int{hue} << " " << int{other};
    }
  }
}

TEST(Colors, OfSpansAreThoseOfThePage) {
  for (view::Key hue = 0; hue < view::kKeys; ++hue) {
    const std::vector<Color> colors = in_page(fmt::format("hue{}", hue));
    ASSERT_EQ(colors.size(), 1u) << int{hue};
    EXPECT_EQ(distance(colors[0], view::color_of_hue(hue)), 0) << int{hue};
  }
}

}  // namespace
}  // namespace evt::testing
