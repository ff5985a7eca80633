#include "drawings.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <string_view>

#include "base/output.h"
#include "base/output_format.h"
#include "base/terminal.h"
#include "libtrace-view/picture/rendering.h"
#include "libtrace-view/terminal/terminal_picture.h"

namespace evt::tools {
namespace {

std::uint32_t terminal_width() { return static_cast<std::uint32_t>(Terminal::columns()); }

view::Colors colors_of_terminal() {
  const char* const colors = getenv("COLORTERM");
  const std::string_view name = colors == nullptr ? "" : colors;
  return name == "truecolor" || name == "24bit" ? view::Colors::kAll : view::Colors::kFew;
}

Result<std::string> content_of(const std::string& path, const std::string& svg) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".pdf") return view::pdf_of(svg);
  if (suffix == ".png") return view::png_of(svg);
  return svg;
}

}  // namespace

std::uint32_t columns_of_terminal() { return view::TerminalPicture::columns_of(terminal_width()); }

Status print_panels(const std::vector<view::Panel>& panels, bool has_color) {
  TextOutput out;
  const view::TerminalPicture picture(
      {terminal_width(), has_color ? colors_of_terminal() : view::Colors::kNone, Terminal::has_utf8()});
  out.text() += picture.text_of(panels);
  return out.flush() ? Status() : out.status();
}

Status check_picture_name(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".svg" || suffix == ".pdf" || suffix == ".png") return {};
  return {Code::kInvalid, fmt::format("-o: expected a name in .html, .svg, .pdf or .png, found {}", path)};
}

Status write_picture(const std::string& path, const OutputMode& mode, const std::string& svg) {
  const Result<std::string> content = content_of(path, svg);
  if (!content) return content.status();
  return write_file(path, mode, *content);
}

}  // namespace evt::tools
