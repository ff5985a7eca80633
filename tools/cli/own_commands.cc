#include "cli/own_commands.h"

#include <fmt/core.h>

#include <charconv>

#include "cli/command_tree.h"
#include "cli/completer.h"
#include "cli/environment.h"
#include "libtrace-read/export/src/base/near_names.h"
#include "output.h"
#include "pager.h"
#include "report.h"

namespace evt::tools {
namespace {

constexpr const char* kEnvironment = "environment";

}  // namespace

int print_text(const std::string& text) {
  const Report report("evt");
  Pager pager(report);
  TextOutput out;
  out.text() += text;
  if (!out.flush()) return report.no_answer(out.status());
  return pager.finish() ? kExitOk : kExitNoAnswer;
}

void add_help(CLI::App& evt) {
  CLI::App* const help = evt.add_subcommand("help", "print the help of a command, or about the environment");
  help->add_option("topic", "a command, and behind stats an analysis; or environment")->expected(0, -1);
  help->footer(
      "Examples: evt help dump\n"
      "          evt help stats cpu\n"
      "          evt help environment");
}

int run_help(const CLI::App& evt, const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == kEnvironment) return print_text(environment_help());
  const CLI::App* command = &evt;
  for (const std::string& word : words) {
    if (word == "-h" || word == "--help") continue;
    const CLI::App* const deeper = subcommand_called(*command, word);
    if (deeper == nullptr) {
      std::vector<std::string> known = subcommand_names(*command);
      if (command == &evt) known.emplace_back(kEnvironment);
      return Report("evt help")
          .usage(fmt::format("there is no help about {}{}", word_in_sentence(word), did_you_mean(word, known)));
    }
    command = deeper;
  }
  return print_text(command->help(command == &evt ? "" : full_name(*command->get_parent())));
}

int run_complete(const CLI::App& evt, const std::vector<std::string>& words) {
  std::size_t at = 0;
  if (!words.empty()) std::from_chars(words[0].data(), words[0].data() + words[0].size(), at);
  // The word at the cursor may be empty, and not among them.
  if (at == 0 || at > words.size()) return Report("evt complete").usage("expected a position and the words of a line");
  TextOutput out;
  out.text() += Completer(evt).answer({words.begin() + 1, words.end()}, at);
  return out.flush() ? kExitOk : Report("evt complete").no_answer(out.status());
}

}  // namespace evt::tools
