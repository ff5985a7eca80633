#include "cli/empty_word.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "cli/command_tree.h"

namespace evt::tools {
namespace {

constexpr const char* kMayBeEmpty[] = {"GLOB", "TEXT", "CONDITION"};

std::string about_empty_value(const CLI::App& command, const std::string& word) {
  const CLI::Option* const option = option_called(command, word);
  const std::string value = option == nullptr ? "" : value_of(*option);
  const bool may_be = std::find(std::begin(kMayBeEmpty), std::end(kMayBeEmpty), value) != std::end(kMayBeEmpty);
  return value.empty() || may_be ? "" : fmt::format("{}: expected {}, found an empty text", name_in(word), value);
}

// The first word is the text.
bool takes_empty_words(const CLI::App& command) { return command.get_name() == "grep"; }

}  // namespace

std::string about_empty_word(const CLI::App& command, const std::vector<std::string>& words) {
  std::string sentence;
  for (std::size_t i = 0; i < words.size() && words[i] != "--" && sentence.empty(); ++i) {
    const std::string& word = words[i];
    if (takes_next(command, word)) {
      ++i;
      if (i < words.size() && words[i].empty()) sentence = about_empty_value(command, word);
    } else if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      sentence = about_empty_value(command, word);
    } else if (word.empty() && !takes_empty_words(command)) {
      sentence = "expected a name, found an empty text";
    }
  }
  return sentence;
}

}  // namespace evt::tools
