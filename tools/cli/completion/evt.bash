# Completion for evt and tracedump, made by evt --completion bash.
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
