// How evt and its subcommands show their help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

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

}  // namespace evt::tools
