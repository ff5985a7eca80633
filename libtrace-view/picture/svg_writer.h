// SVG, element by element: the same bytes for the same calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libtrace-view/look/palette.h"

namespace evt::view {

// #257147
std::string hex(Color color);

// A path of horizontal and vertical steps; coordinates are rounded to 1/20 pt and what changes nothing is left out.
class StepPath {
 public:
  void move_to(double x, double y);
  void horizontal_to(double x);
  void vertical_to(double y);
  void close();
  const std::string& text() const { return text_; }

 private:
  void write_horizontal();

  std::string text_;
  long x_ = 0;
  long y_ = 0;
  long written_x_ = 0;
};

enum class Anchor : std::uint8_t { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 8;
  Color color = colors::kText;
  Anchor anchor = Anchor::kStart;
  bool has_halo = false;  // a white rim, on what is coloured
};

class SvgWriter {
 public:
  SvgWriter(double width, double height, std::string_view title, std::string_view description);

  // Lines of another angle and colour than what is below: `name` is then a fill as colours are.
  struct Pattern {
    std::string name;
    int degrees = 45;
    double distance = 3;
    double line = 1;
    Color color = colors::kText;
    std::string background{};  // a fill; empty: what is below is seen
  };
  // Before all else.
  void patterns(const std::vector<Pattern>& patterns);

  void rectangle(double x, double y, double width, double height, std::string_view fill);
  void path(const StepPath& path, std::string_view fill);
  void line(double x, double y, double to_x, double to_y, Color color, double width = 0.4);
  // What the text holds of a trace is made harmless here.
  void text(double x, double y, std::string_view text, const TextStyle& style);
  // What is drawn until its end has this text where a pointer is on it.
  void begin_group(std::string_view title);
  void end_group() { out_ += "</g>\n"; }
  std::string finish();

 private:
  std::string out_;
};

}  // namespace evt::view
