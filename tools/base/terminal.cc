#include "terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace evt::tools {
namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kMaxWidth = 2000;

struct State {
  std::string color = "auto";
  bool is_wide = false;
  bool is_markdown = false;
  bool is_shortened = false;
  bool is_reported = false;  // that it is
  bool wants_pager = true;
  bool has_pager = false;
  std::optional<bool> has_output;
  std::optional<bool> has_messages;
  std::optional<std::size_t> columns;
};

State& terminal_state() {
  static State state;
  return state;
}

std::string_view variable_called(const char* name) {
  const char* const value = getenv(name);
  return value == nullptr ? "" : value;
}

bool colors(bool is_terminal) {
  const std::string& when = terminal_state().color;
  if (when != "auto") return when == "always";
  if (!variable_called("NO_COLOR").empty()) return false;
  const std::string_view forced = variable_called("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  return is_terminal && Terminal::has_cursor();
}

std::size_t width_of_terminal() {
  const std::string_view columns = variable_called("COLUMNS");
  std::size_t width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  winsize size{};
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? kUsualWidth : std::min(width, kMaxWidth);
}

}  // namespace

void Terminal::set_color(const std::string& when) { terminal_state().color = when; }

void Terminal::set_wide() { terminal_state().is_wide = true; }

void Terminal::set_markdown() { terminal_state().is_markdown = true; }

void Terminal::set_no_pager() { terminal_state().wants_pager = false; }

bool Terminal::wants_pager() { return terminal_state().wants_pager; }

void Terminal::keep() {
  terminal_state().has_pager = true;
  terminal_state().has_output = has_output();
  terminal_state().has_messages = has_messages();
  terminal_state().columns = columns();
}

bool Terminal::has_pager() { return terminal_state().has_pager; }

bool Terminal::has_output() { return terminal_state().has_output.value_or(isatty(STDOUT_FILENO) == 1); }
bool Terminal::has_messages() { return terminal_state().has_messages.value_or(isatty(STDERR_FILENO) == 1); }
bool Terminal::colors_output() { return colors(has_output()); }
bool Terminal::colors_messages() { return colors(has_messages()); }
std::size_t Terminal::columns() {
  const State& state = terminal_state();
  return state.columns ? *state.columns : width_of_terminal();
}

TableLook Terminal::look() {
  if (terminal_state().is_markdown) return {.is_markdown = true};
  const bool is_limited = has_output() && !terminal_state().is_wide;
  return {.has_bold_head = colors_output(),
          .columns = is_limited ? columns() : SIZE_MAX,
          .is_shortened = &terminal_state().is_shortened};
}

bool Terminal::take_shortened() {
  State& state = terminal_state();
  const bool is_first = state.is_shortened && !state.is_reported;
  state.is_reported |= is_first;
  return is_first;
}

bool Terminal::has_utf8() {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "", nullptr);
  if (locale == nullptr) return false;
  const bool utf8 = std::string_view(nl_langinfo_l(CODESET, locale)) == "UTF-8";
  freelocale(locale);
  return utf8;
}

bool Terminal::has_cursor() {
  const std::string_view name = variable_called("TERM");
  return !name.empty() && name != "dumb";
}

}  // namespace evt::tools
