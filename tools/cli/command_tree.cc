#include "cli/command_tree.h"

namespace evt::tools {
namespace {

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

}  // namespace

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const each : subcommands_of(app)) names.push_back(each->get_name());
  return names;
}

const CLI::App* subcommand_called(const CLI::App& app, const std::string& name) {
  for (const CLI::App* const each : subcommands_of(app)) {
    if (each->get_name() == name) return each;
  }
  return nullptr;
}

const CLI::App& deepest_chosen(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest_chosen(*chosen.front());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

bool is_shown(const CLI::Option& option) { return !option.get_group().empty(); }

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options()) {
    if (!is_shown(*option)) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string value_of(const CLI::Option& option) {
  const std::string value = option.get_type_name();
  return value.empty() && takes_value(option) ? "VALUE" : value;
}

std::string name_in(const std::string& word) { return word.substr(0, word.find('=')); }

const CLI::Option* option_called(const CLI::App& app, const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return nullptr;
  if (word[1] == '-') return app.get_option_no_throw(name_in(word));
  const CLI::Option* option = nullptr;
  for (const char letter : word.substr(1)) {
    option = app.get_option_no_throw(std::string("-") + letter);
    if (option == nullptr || takes_value(*option)) break;
  }
  return option;
}

bool takes_next(const CLI::App& app, const std::string& word) {
  const CLI::Option* const option = option_called(app, word);
  if (option == nullptr || !takes_value(*option)) return false;
  if (word[1] == '-') return word.find('=') == word.npos;
  return option->check_sname(std::string(1, word.back())) && word.find(word.back()) == word.size() - 1;
}

}  // namespace evt::tools
