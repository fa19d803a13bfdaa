#include "help/completion.h"

namespace heron::cli {
namespace {

// bash completes paths by itself, with all its quoting, where the function gives nothing. `$1` is
// the program as it was typed.
constexpr std::string_view kBash = R"(# bash completion of heron
_heron() {
  local answer
  mapfile -t answer < <("${1/#\~\//$HOME/}" __complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  COMPREPLY=("${answer[@]:1}")
  [[ ${answer[0]} == unfinished* ]] && compopt -o nospace
  case ${answer[0]} in
    *files) ;;
    *folders) compopt +o bashdefault +o default -o dirnames ;;
    *) compopt +o bashdefault +o default ;;
  esac
}
complete -o bashdefault -o default -o nosort -F _heron heron
)";

constexpr std::string_view kZsh = R"(#compdef heron
_heron() {
  local -a answer described
  local line word what suffix=' '
  local program=${(Q)words[1]/#\~\//$HOME/}
  local -a before=("${(@Q)words[2,CURRENT-1]}")
  answer=("${(@f)$($program __complete words "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}")
  for line in "${(@)answer[2,-1]}"; do
    [[ -z $line ]] && continue
    word=${${line%%$'\t'*}//:/\\:} what=${line#*$'\t'}
    described+=("$word${what:+:$what}")
  done
  [[ $answer[1] == unfinished* ]] && suffix=
  if ((${#described})); then
    _describe -V heron described -S "$suffix"
    return
  fi
  case $answer[1] in
    *files) _files ;;
    *folders) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _heron ]]; then _heron "$@"; else compdef _heron heron; fi
)";

constexpr std::string_view kFish = R"(# fish completion of heron
function __heron_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l answer ($words[1] __complete words $words[2..-1] 2>/dev/null)
  if set -q answer[2]
    printf '%s\n' $answer[2..-1]
  else if string match -q '*files' -- $answer[1]
    __fish_complete_path (commandline -ct)
  else if string match -q '*folders' -- $answer[1]
    __fish_complete_directories (commandline -ct)
  end
end
complete -c heron -f -k -a '(__heron_complete)'
)";

}  // namespace

std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return kBash;
  return shell == "zsh" ? kZsh : kFish;
}

}  // namespace heron::cli
