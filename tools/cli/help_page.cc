#include "cli/help_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command_tree.h"
#include "cli/wrapped_text.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMargin = 6;  // of a name behind a letter

constexpr const char* kEvents = "Which events";
constexpr const char* kOutput = "Output";
constexpr const char* kOwn = "Options";  // of the command itself
constexpr const char* kGeneral = "General";

// What options are for that several commands have.
constexpr std::pair<std::string_view, const char*> kPurposes[] = {{"from", kEvents},      {"to", kEvents},
                                                                  {"at", kEvents},        {"stream", kEvents},
                                                                  {"event", kEvents},     {"where", kEvents},
                                                                  {"thread", kEvents},    {"part", kEvents},
                                                                  {"session", kEvents},   {"weight", kOutput},
                                                                  {"output", kOutput},    {"canonical", kOutput},
                                                                  {"json", kOutput},      {"csv", kOutput},
                                                                  {"raw", kOutput},       {"count", kOutput},
                                                                  {"types", kOutput},     {"streams", kOutput},
                                                                  {"header", kOutput},    {"utc", kOutput},
                                                                  {"fields", kOutput},    {"format", kOutput},
                                                                  {"delta", kOutput},     {"local", kOutput},
                                                                  {"zone", kOutput},      {"json-safe", kOutput},
                                                                  {"relative", kOutput},  {"top", kOutput},
                                                                  {"sort", kOutput},      {"columns", kOutput},
                                                                  {"rows", kOutput},      {"color", kOutput},
                                                                  {"wide", kOutput},      {"no-pager", kOutput},
                                                                  {"help", kGeneral},     {"quiet", kGeneral},
                                                                  {"no-rings", kGeneral}, {"no-checkpoints", kGeneral},
                                                                  {"no-cache", kGeneral}, {"version", kGeneral},
                                                                  {"manual", kGeneral},   {"completion", kGeneral}};

const char* purpose_of(const CLI::Option& option) {
  for (const auto& [name, purpose] : kPurposes) {
    if (option.check_lname(std::string(name))) return purpose;
  }
  return kOwn;
}

// `  -o, --output FILE`; without a letter the name is where it is behind one.
std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  names.insert(0, names.empty() ? std::string(kMargin, ' ') : "  ");
  for (const std::string& name : option.get_lnames()) names += "--" + name + ", ";
  names.resize(names.size() - 2);
  const std::string value = value_of(option);
  names += (value.empty() || value[0] == '[' ? "" : " ") + value;
  // A long list of values goes on below.
  for (std::size_t begin = 0; names.size() - begin > kHelpWidth;) {
    const std::size_t bar = names.rfind('|', begin + kHelpWidth - 1);
    if (bar == names.npos || bar <= begin) break;
    names.insert(bar + 1, "\n" + std::string(kMargin, ' '));
    begin = bar + 2;
  }
  return names;
}

std::vector<const CLI::Option*> shown_options(const CLI::App& app, bool positional) {
  return app.get_options(
      [=](const CLI::Option* option) { return option->get_positional() == positional && is_shown(*option); });
}

std::string several(const CLI::Option& option) { return option.get_items_expected_max() > 1 ? "..." : ""; }

void append_options(std::string& page, const CLI::App& app) {
  for (const char* const purpose : {kEvents, kOwn, kOutput, kGeneral}) {
    std::string entries;
    for (const CLI::Option* const option : shown_options(app, false)) {
      if (purpose_of(*option) != purpose) continue;
      entries +=
          help_entry(names_of(*option), option->get_description() + (option->get_required() ? " (required)" : ""));
    }
    if (!entries.empty()) page += fmt::format("\n{}:\n{}", purpose, entries);
  }
}

}  // namespace

std::string usage_of(const CLI::App& app, const std::string& name) {
  std::string usage = name;
  if (!shown_options(app, false).empty()) usage += " [OPTIONS]";
  for (const CLI::Option* const word : shown_options(app, true)) {
    const std::string text = word->get_name(true) + several(*word);
    usage += word->get_required() ? " " + text : " [" + text + "]";
  }
  return app.get_require_subcommand_min() > 0 ? usage + " COMMAND" : usage;
}

std::string HelpPage::make_usage(const CLI::App* app, std::string name) const {
  return wrapped_words("Usage: " + usage_of(*app, name), 0, 7, kHelpWidth);
}

std::string HelpPage::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  std::string page = wrapped_words(app->get_description(), 0, 0, kHelpWidth) + make_usage(app, std::move(name));
  std::string words;
  for (const CLI::Option* const word : shown_options(*app, true)) {
    words += help_entry("  " + word->get_name(true) + several(*word), word->get_description());
  }
  if (!words.empty()) page += "\nArguments:\n" + words;
  std::string commands;
  for (const CLI::App* const each : subcommands_of(*app))
    commands += help_entry("  " + each->get_name(), each->get_description());
  if (!commands.empty()) page += (app->get_require_subcommand_min() > 0 ? "\nCommands:\n" : "\nAnalyses:\n") + commands;
  append_options(page, *app);
  const std::string footer = app->get_footer();
  const std::size_t begin = std::min(footer.find_first_not_of('\n'), footer.size());
  return footer.empty() ? page : page + '\n' + wrapped_text(footer.substr(begin), kHelpWidth);
}

void use_help_page(CLI::App& app) {
  app.formatter(std::make_shared<HelpPage>());
  for (CLI::App* const command : app.get_subcommands(nullptr)) use_help_page(*command);
}

}  // namespace evt::tools
