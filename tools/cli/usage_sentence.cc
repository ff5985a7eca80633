#include "cli/usage_sentence.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/table.h"
#include "cli/command_tree.h"
#include "cli/help_page.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

// Options that a command has by another name, or cannot have.
struct Instead {
  const char* command;
  const char* option;
  const char* hint;
};
constexpr const char* kRows = "--rows chooses rows";
constexpr const char* kWhere = "WHERE in a query chooses events";
constexpr const char* kNoAttach = "a program is recorded from its start; evt run cannot attach to one that runs";
constexpr Instead kInstead[] = {{"stats", "--group-by", "did you mean --by?"},
                                {"stats", "--slowest", "did you mean --longest?"},
                                {"view", "--stream", kRows},
                                {"view", "--thread", kRows},
                                {"view", "--process", kRows},
                                {"sql", "--stream", kWhere},
                                {"sql", "--thread", kWhere},
                                {"sql", "--process", kWhere},
                                {"sql", "--event", kWhere},
                                {"sql", "--where", kWhere},
                                {"run", "-p", kNoAttach},
                                {"run", "--pid", kNoAttach},
                                {"run", "--attach", kNoAttach}};

// How the sentence about an option goes on that is not there.
std::string instead_of(const std::string& option, const CLI::App& command) {
  const auto* const found = std::ranges::find_if(kInstead, [&](const Instead& each) {
    const bool is_of_parent = command.get_parent() != nullptr && command.get_parent()->get_name() == each.command;
    return (is_of_parent || command.get_name() == each.command) && option == each.option;
  });
  return found != std::end(kInstead) ? std::string("; ") + found->hint : did_you_mean(option, option_names(command));
}

// A word too many: an option that is not known, or another word.
std::string about_extra(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  const CLI::App& command = deepest_chosen(app);
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  const auto option = std::ranges::find_if(words, is_option);
  if (option == words.end()) return fmt::format("expected no more words, found {}", words.empty() ? "" : words[0]);
  return fmt::format("there is no option {}{}", *option, instead_of(name_in(*option), command));
}

// Words that other tools have for what a command does here.
struct Synonym {
  const char* word;
  const char* line;
};
constexpr Synonym kSynonyms[] = {{"record", "evt run PROGRAM"},
                                 {"trace", "evt run PROGRAM"},
                                 {"top", "evt stats TRACE"},
                                 {"report", "evt stats TRACE"},
                                 {"statistics", "evt stats TRACE"},
                                 {"info", "evt stats TRACE"},
                                 {"show", "evt dump TRACE"},
                                 {"print", "evt dump TRACE"},
                                 {"diff", "evt stats diff BEFORE AFTER"},
                                 {"compare", "evt stats diff BEFORE AFTER"},
                                 {"export", "evt convert TRACE -o FILE"},
                                 {"repair", "evt check --repair FILE TRACE"},
                                 {"recover", "evt check --recover TRACE"},
                                 {"flamegraph", "evt convert TRACE -o FILE.folded"}};

// A word or an option that is not there.
std::string about_missing(const CLI::App& app, const std::string& message) {
  const CLI::App& command = deepest_chosen(app);
  const std::string end = " is required";
  if (!message.ends_with(end)) return message;  // a sentence already
  const std::string what = message.substr(0, message.size() - end.size());
  if (what.starts_with("A ")) return "expected a command; evt help lists them";
  return fmt::format("no {} given; usage: {}", what, usage_of(command, full_name(command)));
}

// An option that has no value, or a flag that has one. CLI11's message begins with the option, without its dashes if it
// is a flag.
std::string about_value(const CLI::App& app, const std::string& message) {
  const std::size_t dashes = message.find("--");
  const std::size_t at = dashes == message.npos ? 0 : dashes;
  const std::string found = message.substr(at, message.find_first_of(": ", at) - at);
  const std::string name = at == dashes ? found : "--" + found;
  const CLI::Option* const option = deepest_chosen(app).get_option_no_throw(name);
  if (option == nullptr) return message;
  if (option->get_items_expected_max() == 0) return name + ": takes no value";
  if (option->count() > 1) return fmt::format("{}: expected once, found {} times", name, option->count());
  return fmt::format("{}: expected {}, found nothing", name, value_of(*option));
}

// What is wrong with a word needs no name of the word: it is in the sentence.
std::string without_name_of_word(const std::string& message) {
  const std::size_t colon = message.find(": ");
  const bool has_name = colon != message.npos && message[0] != '-' && message.find(' ') == colon + 1;
  return has_name ? message.substr(colon + 2) : message;
}

constexpr const char* kMayBeEmpty[] = {"GLOB", "TEXT", "CONDITION"};

std::string about_empty_value(const CLI::App& command, const std::string& word) {
  const CLI::Option* const option = option_called(command, word);
  const std::string value = option == nullptr ? "" : value_of(*option);
  const bool may_be = std::ranges::find(kMayBeEmpty, value) != std::end(kMayBeEmpty);
  return value.empty() || may_be ? "" : fmt::format("{}: expected {}, found an empty string", name_in(word), value);
}

// The first word is the text.
bool takes_any_words(const CLI::App& command) { return command.get_name() == "grep"; }

// As head and tail have it.
bool is_number_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word.find_first_not_of("0123456789", 1) == word.npos;
}

}  // namespace

std::string about_command(const CLI::App& app, const std::string& word) {
  const auto* const synonym = std::ranges::find_if(kSynonyms, [&](const Synonym& each) { return word == each.word; });
  if (synonym != std::end(kSynonyms)) return fmt::format("there is no command {}; try {}", word, synonym->line);
  if (const AnalysisKind* const analysis = analysis_kind(word)) {
    return fmt::format("there is no command {}; try evt stats {} TRACE", word, analysis->name);
  }
  std::vector<std::string> names = option_names(app);
  for (const std::string& name : subcommand_names(app)) names.push_back(name);
  const std::string near = did_you_mean(word, names);
  return fmt::format("expected a command, found {}{}", word.empty() ? "an empty string" : word,
                     near.empty() ? "; evt help lists them" : near);
}

std::string messages_of(const CLI::App& app) {
  if (app.get_name() == "tracedump") return "evt dump";
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "evt" : "evt " + chosen.front()->get_name();
}

std::string usage_sentence(const CLI::App& app, const CLI::Error& error) {
  const std::string message = error.what();
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ExtrasError:
      return about_extra(app);
    case CLI::ExitCodes::RequiredError:
      return about_missing(app, message);
    case CLI::ExitCodes::ArgumentMismatch:
    case CLI::ExitCodes::ConversionError:
      return about_value(app, message);
    default:
      return without_name_of_word(message);
  }
}

std::string about_wrong_word(const CLI::App& command, const std::vector<std::string>& words) {
  std::string sentence;
  for (std::size_t i = 0; i < words.size() && words[i] != "--" && sentence.empty(); ++i) {
    const std::string& word = words[i];
    if (takes_next(command, word)) {
      ++i;
      if (i < words.size() && words[i].empty()) sentence = about_empty_value(command, word);
    } else if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      sentence = about_empty_value(command, word);
    } else if (word.empty() && !takes_any_words(command)) {
      sentence = "expected a name, found an empty string";
    } else if (is_number_option(word) && !takes_any_words(command)) {
      const auto has = [&](const char* option) { return command.get_option_no_throw(option) != nullptr; };
      const std::string option = has("--first") ? "--first" : has("--top") ? "--top" : "";
      sentence = fmt::format("there is no option {}{}", word,
                             option.empty() ? "" : fmt::format("; try {} {}", option, word.substr(1)));
    }
  }
  return sentence;
}

}  // namespace evt::tools
