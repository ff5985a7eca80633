#include "text_view.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>

#include <string_view>

#include "base/output.h"
#include "base/terminal.h"
#include "libtrace-view/terminal/terminal_picture.h"

namespace evt::tools {
namespace {

std::uint32_t terminal_width() { return static_cast<std::uint32_t>(Terminal::columns()); }

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
