// What may come next on a command line that is being typed, and the scripts by which shells complete it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace evt::tools {

// Refers to the command, of which the subcommands that the line names have their options.
class Completer {
 public:
  explicit Completer(const CLI::App& evt) : evt_(evt) {}

  // A line for each word that may be where `words[at]` is and begins as it does, with a tab and what it is about, if
  // that is known. Lines with a colon in front are for the shell: ":files" and ":commands" are all those of the
  // system. The words are as typed; `words[0]` is the program. Words behind `at` count as well: event types and streams
  // are those of the traces on the line. As bash has it, --name=value may be three words.
  std::string answer(std::vector<std::string> words, std::size_t at) const;

 private:
  const CLI::App& evt_;
};

// Shells for which there is a script: bash, zsh, fish.
std::vector<std::string> completed_shells();

// REQUIRES: it is one of them.
std::string completion_script(const std::string& shell);

}  // namespace evt::tools
