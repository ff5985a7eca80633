// Rows of traces in a terminal: a column of characters for each column of time.
#pragma once

#include <string>
#include <vector>

#include "glyphs.h"
#include "libtrace-view/rows/panel.h"

namespace evt::view {

struct TerminalOptions {
  std::uint32_t width = 80;  // in characters
  Colors colors = Colors::kNone;
  bool has_blocks = true;  // false: ASCII alone
};

class TerminalPicture {
 public:
  explicit TerminalPicture(const TerminalOptions& options) : options_(options) {}

  // How many columns of time there are beside names, in a terminal of this width.
  static std::uint32_t columns_of(std::uint32_t width);
  std::string text_of(const std::vector<Panel>& panels) const;

 private:
  bool has_color() const { return options_.colors != Colors::kNone; }
  std::string rows_of(const Panel& panel) const;
  std::string ruler_of(const Panel& panel) const;
  std::string legend_of(const std::vector<Panel>& panels) const;
  std::string shown(const std::string& name, std::size_t width) const;
  std::string in_gutter(const std::string& name) const;

  TerminalOptions options_;
};

}  // namespace evt::view
