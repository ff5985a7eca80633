// How evt and its subcommands show their help, in text that fits into a number of columns.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace evt::tools {

// What the command does, how it is used, its words, its options by what they are for, its subcommands, and its footer;
// 80 columns wide.
class HelpPage : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  // Usage: evt dump [OPTIONS] file...
  std::string make_usage(const CLI::App* app, std::string name) const override;
};

// The same as one line, without what is in front: evt dump [OPTIONS] file...
std::string usage_of(const CLI::App& app, const std::string& name);

// Gives the command, and all below it, this help.
void use_help_page(CLI::App& app);

// Width of all help. Not the terminal's, so that help is the same everywhere.
inline constexpr std::size_t kHelpWidth = 80;

// The words of a paragraph on lines of at most `width` columns, with a newline behind each. The first line begins at
// column `used`, where something is already; the others have `margin` spaces in front. A word that is longer than a
// line has one of its own.
std::string wrapped_words(std::string_view words, std::size_t used, std::size_t margin, std::size_t width);

// A line of a list: what `front` is about, beside it or, if it is too long, below.
std::string help_entry(const std::string& front, std::string_view text);

// Paragraphs and lists, as footers of commands have them, on lines of at most `width` columns. Lines that begin at the
// margin are one paragraph, whose lines are filled anew if one is too long. Indented lines are kept, but for an item
// `  name   text` that is too long: its text, with the lines below that are indented further, is filled anew beside the
// name. Examples, and the output of commands behind a line `  $ command`, are kept as they are.
std::string wrapped_text(const std::string& text, std::size_t width);

}  // namespace evt::tools
