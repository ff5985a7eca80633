// Options that many subcommands have, each with one name, one letter and one meaning.
#pragma once

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace evt::tools {

// --quiet
void add_quiet(CLI::App& app);
// --color
CLI::Option* add_color(CLI::App& app);
// --wide, of what prints tables.
void add_wide(CLI::App& app);
// --wide and --no-pager, of what prints tables and long texts.
void add_printing(CLI::App& app);

}  // namespace evt::tools
