#include "text_view.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "libtrace-view/terminal/terminal_picture.h"
#include "output.h"

namespace evt::tools {
namespace {

constexpr std::uint32_t kUsualWidth = 80;
constexpr std::uint32_t kMaxWidth = 2000;

// By the environment, then by the terminal.
std::uint32_t terminal_width() {
  std::uint32_t width = 0;
  if (const char* const columns = getenv("COLUMNS"); columns != nullptr) {
    std::from_chars(columns, columns + strlen(columns), width);
  }
  winsize size{};
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? kUsualWidth : std::min(width, kMaxWidth);
}

view::Colors colors_of_terminal() {
  const char* const colors = getenv("COLORTERM");
  const std::string_view name = colors == nullptr ? "" : colors;
  return name == "truecolor" || name == "24bit" ? view::Colors::kAll : view::Colors::kFew;
}

bool is_utf8() {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "", nullptr);
  if (locale == nullptr) return false;
  const bool utf8 = std::string_view(nl_langinfo_l(CODESET, locale)) == "UTF-8";
  freelocale(locale);
  return utf8;
}

}  // namespace

std::uint32_t TextView::columns() { return view::TerminalPicture::columns_of(terminal_width()); }

Status TextView::print(const std::vector<view::Panel>& panels) const {
  TextOutput out;
  const view::TerminalPicture picture(
      {terminal_width(), has_color_ ? colors_of_terminal() : view::Colors::kNone, is_utf8()});
  out.text() += picture.text_of(panels);
  return out.flush() ? Status() : out.status();
}

}  // namespace evt::tools
