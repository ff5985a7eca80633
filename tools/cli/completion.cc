#include "cli/completion.h"

#include <algorithm>

namespace evt::tools {
namespace {

struct Script {
  const char* shell;
  const char* text;
};

// Each calls the evt that is beside the command that is completed. What evt prints: see Completer::answer().
constexpr Script kScripts[] = {
    {"bash", R"sh(# Completion for evt and tracedump, made by evt --completion bash.
_evt() {
  local -a words=("${COMP_WORDS[@]}")
  # A quote that has no other one yet.
  words[COMP_CWORD]=${words[COMP_CWORD]#[\'\"]}
  local word=${words[COMP_CWORD]} line name
  local command=${COMP_WORDS[0]/#\~/$HOME}
  [ "${command##*/}" = tracedump ] && command=${command%tracedump}evt
  [ "$word" = = ] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$word") ;;
      :commands) while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -c -- "$word") ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("$command" complete "$COMP_CWORD" "${words[@]}" 2> /dev/null)
}
complete -o filenames -F _evt evt tracedump
)sh"},
    {"zsh", R"sh(#compdef evt tracedump
# Completion for evt and tracedump, made by evt --completion zsh.
_evt() {
  local line command=${~words[1]}
  local -a names shown
  [[ ${command:t} == tracedump ]] && command=${command%tracedump}evt
  for line in ${(f)"$($command complete $((CURRENT - 1)) "${(@Q)words}" 2> /dev/null)"}; do
    case $line in
      :files) _files ;;
      :commands) _command_names -e ;;
      *)
        names+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  -- }")
        ;;
    esac
  done
  if (( $#names )); then compadd -l -d shown -a -- names; fi
}
# From a folder of fpath this is the function itself.
if [[ ${funcstack[1]} == _evt ]]; then
  _evt "$@"
else
  compdef _evt evt tracedump
fi
)sh"},
    {"fish", R"sh(# Completion for evt and tracedump, made by evt --completion fish.
function __evt_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l command (string replace -r 'tracedump$' evt -- $before[1])
    for line in ($command complete (count $before) $before "$word" (commandline -op) 2> /dev/null)
        switch $line
            case :files
                __fish_complete_path "$word"
            case :commands
                complete -C "$word"
            case '*'
                echo $line
        end
    end
end
complete -c evt -f -a '(__evt_complete)'
complete -c tracedump -f -a '(__evt_complete)'
)sh"},
};

}  // namespace

std::vector<std::string> completed_shells() {
  std::vector<std::string> shells;
  for (const Script& each : kScripts) shells.emplace_back(each.shell);
  return shells;
}

std::string completion_script(const std::string& shell) {
  return std::ranges::find_if(kScripts, [&](const Script& each) { return each.shell == shell; })->text;
}

}  // namespace evt::tools
