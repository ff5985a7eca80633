// The terminal that the command prints on, if it prints on one.
#pragma once

#include <signal.h>

#include <cstddef>
#include <string>

#include "aligned_rows.h"

namespace evt::tools {

// Of the process, which has one standard output: options set what the others ask. One thread at a time.
class Terminal {
 public:
  // When something is coloured: auto, always or never.
  static void set_color(const std::string& when);
  // Texts in tables are as long as they are.
  static void set_wide();
  // Tables are Markdown.
  static void set_markdown();
  static void set_no_pager();
  static bool wants_pager();
  // From here on a pager is between: standard output is the terminal as before.
  static void keep();

  static bool has_pager();

  static bool has_output();
  static bool has_messages();
  static bool colors_output();
  static bool colors_messages();
  // By COLUMNS, then by the terminal; 80 if neither has it.
  static std::size_t columns();
  // Of tables on standard output.
  static TableLook look();
  // True once, if texts of a table with that look were shortened.
  static bool take_shortened();
  // By the locale.
  static bool has_utf8();
  // Whether its cursor can be moved, by TERM.
  static bool has_cursor();
};

// The signals by which a user, or the end of the terminal, ends the command.
inline constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace evt::tools
