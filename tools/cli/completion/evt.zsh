#compdef evt tracedump
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
