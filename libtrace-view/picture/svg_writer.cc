#include "svg_writer.h"

#include <fmt/core.h>

#include <cmath>
#include <iterator>

#include "font.h"
#include "libtrace-view/look/texts.h"

namespace evt::view {
namespace {

constexpr int kParts = 20;  // of a point

long rounded(double points) { return std::lround(points * kParts); }

// Twentieths as a decimal number without zeros at its end.
std::string number(long parts) {
  const long hundredths = std::abs(parts) * (100 / kParts);
  const bool has_whole = hundredths >= 100 || hundredths == 0;
  std::string text = (parts < 0 ? "-" : "") + (has_whole ? std::to_string(hundredths / 100) : "");
  if (hundredths % 100 == 0) return text;
  text += fmt::format(".{:02}", hundredths % 100);
  if (text.back() == '0') text.pop_back();
  return text;
}
std::string number(double points) { return number(rounded(points)); }

}  // namespace

std::string hex(Color color) { return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue); }

// Steps are relative: in whole parts no error adds up, and their numbers are short.
void StepPath::move_to(double x, double y) {
  x_ = written_x_ = rounded(x);
  y_ = rounded(y);
  text_ += "M" + number(x_) + " " + number(y_);
}

void StepPath::horizontal_to(double x) { x_ = rounded(x); }

void StepPath::vertical_to(double y) {
  if (rounded(y) == y_) return;
  write_horizontal();
  text_ += "v" + number(rounded(y) - y_);
  y_ = rounded(y);
}

void StepPath::close() {
  write_horizontal();
  text_ += "z";
}

void StepPath::write_horizontal() {
  if (x_ != written_x_) text_ += "h" + number(x_ - written_x_);
  written_x_ = x_;
}

SvgWriter::SvgWriter(double width, double height, std::string_view title, std::string_view description) {
  const std::string w = number(width);
  const std::string h = number(height);
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}pt\" height=\"{}pt\" viewBox=\"0 0 {} {}\" "
      "font-family=\"{}\" role=\"img\">\n"
      "<title>{}</title>\n<desc>{}</desc>\n<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n",
      w, h, w, h, kFonts, xml_text(title), xml_text(description), w, h);
}

void SvgWriter::patterns(const std::vector<Pattern>& patterns) {
  if (patterns.empty()) return;
  out_ += "<defs>\n";
  for (const Pattern& pattern : patterns) {
    const std::string size = number(pattern.distance);
    out_ += fmt::format(
        "<pattern id=\"{}\" width=\"{}\" height=\"{}\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate({})\">",
        pattern.name, size, size, pattern.degrees);
    if (!pattern.background.empty()) {
      out_ += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>", size, size, pattern.background);
    }
    out_ += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/></pattern>\n", number(pattern.line), size,
                        hex(pattern.color));
  }
  out_ += "</defs>\n";
}

void SvgWriter::rectangle(double x, double y, double width, double height, std::string_view fill) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", number(x), number(y),
                      number(width), number(height), fill);
}

void SvgWriter::path(const StepPath& path, std::string_view fill) {
  if (!path.text().empty()) out_ += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", fill, path.text());
}

void SvgWriter::line(double x, double y, double to_x, double to_y, Color color, double width) {
  out_ += fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", number(x), number(y),
                      number(to_x), number(to_y), hex(color), number(width));
}

void SvgWriter::text(double x, double y, std::string_view text, const TextStyle& style) {
  constexpr const char* kAnchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  const std::string place = fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}", number(x), number(y),
                                        number(style.size), kAnchors[static_cast<std::size_t>(style.anchor)]);
  const std::string content = xml_text(text);
  if (style.has_halo) {
    out_ +=
        fmt::format("{} fill=\"#ffffff\" stroke=\"#ffffff\" stroke-width=\"1.5\" stroke-linejoin=\"round\">{}</text>\n",
                    place, content);
  }
  out_ += fmt::format("{} fill=\"{}\">{}</text>\n", place, hex(style.color), content);
}

void SvgWriter::begin_group(std::string_view title) { out_ += fmt::format("<g><title>{}</title>\n", xml_text(title)); }

std::string SvgWriter::finish() { return out_ + "</svg>\n"; }

}  // namespace evt::view
