#include "completion.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

namespace evt::tools {
namespace {

// What comes first on the line, and which options each subcommand has, as the lines of a shell's `case`.
struct Words {
  std::string first;
  std::string second;  // behind stats
  std::string cases;
};

std::string long_options(const CLI::App& command) {
  std::string words;
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_group().empty()) continue;  // not in its help
    for (const std::string& name : option->get_lnames()) words += (words.empty() ? "--" : " --") + name;
  }
  return words;
}

// `form` has a place for a subcommand's name and one for its options.
Words words_of(const CLI::App& evt, const char* form) {
  Words words;
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* const each : evt.get_subcommands(all)) {
    words.first += each->get_name() + " ";
    words.cases += fmt::format(fmt::runtime(form), each->get_name(), long_options(*each));
    for (const CLI::App* const deeper : each->get_subcommands(all)) {
      words.second += deeper->get_name() + " ";
      words.cases +=
          fmt::format(fmt::runtime(form), each->get_name() + "\\ " + deeper->get_name(), long_options(*deeper));
    }
  }
  words.first += long_options(evt);
  return words;
}

}  // namespace

std::string bash_completion(const CLI::App& evt) {
  const Words words = words_of(evt, "    {}) words=\"{}\" ;;\n");
  return fmt::format(R"(# Completion for evt and tracedump, made by evt --completion bash.
_evt() {{
  local words command=${{COMP_WORDS[1]}} word=${{COMP_WORDS[COMP_CWORD]}}
  [ "${{COMP_WORDS[0]##*/}}" = tracedump ] && command=dump
  if [ "$COMP_CWORD" -eq 1 ] && [ "${{COMP_WORDS[0]##*/}}" != tracedump ]; then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
    return
  fi
  local analyses=" {}"
  [[ $command == stats && $COMP_CWORD -gt 2 && $analyses == *" ${{COMP_WORDS[2]}} "* ]] && command="stats ${{COMP_WORDS[2]}}"
  case $command in
{}  esac
  if [ "$command" = stats ] && [ "$COMP_CWORD" -eq 2 ] && [[ $word != -* ]]; then
    COMPREPLY=($(compgen -W "$analyses" -- "$word") $(compgen -f -- "$word"))
  elif [ "${{COMP_WORDS[COMP_CWORD - 1]}}" = --color ]; then
    COMPREPLY=($(compgen -W "auto always never" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _evt evt tracedump
)",
                     words.first, words.second, words.cases);
}

std::string zsh_completion(const CLI::App& evt) {
  const Words words = words_of(evt, "    {}) options=({}) ;;\n");
  return fmt::format(R"(#compdef evt tracedump
# Completion for evt and tracedump, made by evt --completion zsh.
_evt() {{
  local command=${{words[2]}}
  local -a options
  [[ ${{words[1]:t}} == tracedump ]] && command=dump
  if (( CURRENT == 2 )) && [[ ${{words[1]:t}} != tracedump ]]; then
    compadd -- {}
    return
  fi
  local -a analyses
  analyses=({})
  [[ $command == stats ]] && (( CURRENT > 3 )) && (( ${{analyses[(Ie)${{words[3]}}]}} )) && command="stats ${{words[3]}}"
  case $command in
{}  esac
  if [[ $command == stats ]] && (( CURRENT == 3 )) && [[ ${{words[CURRENT]}} != -* ]]; then
    compadd -- $analyses
    _files
  elif [[ ${{words[CURRENT-1]}} == --color ]]; then
    compadd -- auto always never
  elif [[ ${{words[CURRENT]}} == -* ]]; then
    compadd -- $options
  else
    _files
  fi
}}
# From a folder of fpath this is the function itself.
if [[ ${{funcstack[1]}} == _evt ]]; then
  _evt "$@"
else
  compdef _evt evt tracedump
fi
)",
                     words.first, words.second, words.cases);
}

}  // namespace evt::tools
