#compdef attnscope
# Completion of attnscope for zsh, printed by attnscope completion zsh.
_attnscope_file() {
  if compset -P 'example:'; then
    compadd -- @EXAMPLES@
    return
  fi
  if compset -P 'attnscope:'; then
    compadd -- @MODELS@
    return
  fi
  local found=1
  compadd -S '' -- example: attnscope: && found=0
  _files && found=0
  return found
}
_attnscope_first() {
  local -a commands=(
@COMMAND_LINES@  )
  local found=1
  _describe command commands && found=0
  _attnscope_file && found=0
  return found
}
_attnscope() {
  local command=
  if ((CURRENT > 2)) && [[ ' @COMMANDS@ ' == *" $words[2] "* ]]; then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
@PLACES@  esac
}
if [[ $funcstack[1] == _attnscope ]]; then _attnscope "$@"; else compdef _attnscope attnscope; fi
