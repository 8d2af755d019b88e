# Completion of attnscope for bash, printed by attnscope completion bash.
_attnscope() {
  local line=${COMP_LINE:0:COMP_POINT} before=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' files=''
  # Bash splits words at = and : as well. A quoted one may hold blanks, and can only be a file.
  local word=${line##*[[:space:]]}
  if [[ ${COMP_WORDS[COMP_CWORD]} == *[\'\"\\]* ]]; then
    compopt -o default
    return
  fi
  if ((COMP_CWORD > 1)) && [[ ' @COMMANDS@ ' == *" ${COMP_WORDS[1]} "* ]]; then
    command=${COMP_WORDS[1]}
  fi
  if [[ $word == -*=* ]]; then
    before=${word%%=*}
    word=${word#*=}
  fi
  if [[ $word == example:* || $word == attnscope:* ]]; then
    words='@EXAMPLES@'
    if [[ $word == attnscope:* ]]; then words='@MODELS@'; fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${word#*:}")
    [[ $COMP_WORDBREAKS == *:* ]] || COMPREPLY=("${COMPREPLY[@]/#/${word%%:*}:}")
    return
  fi
  case $command:$before in
@VALUES@    *)
      case $command:$word in
@PLACES@      esac
      ;;
  esac
  if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then words+=' @COMMANDS@'; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ -n $files ]] || return
  compopt -o "$files"
  if ((${#COMPREPLY[@]} > 0)); then
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
    if ((${#COMPREPLY[@]} > 1)); then compopt -o filenames; fi
    if [[ ${COMPREPLY[*]} == @(example|attnscope): ]]; then compopt -o nospace; fi
  fi
}
complete -F _attnscope attnscope
