#include "help/completion.h"

#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {

Verb completion_verb() {
  return {"completion",
          "print what lets a shell complete verbs, options, files and columns",
          {{"source <(heron completion bash)", "in this shell"},
           {"heron completion fish > ~/.config/fish/completions/heron.fish", "in every new shell"}},
          {{"SHELL", "the shell", Kind::Word, true, false, "bash zsh fish"}},
          {kHelp},
          [](Session& session) { session.out().append(completion_script(session.argument(0))); },
          "`cmake --install` puts all three where shells look for them.\n",
          {{"completions", "to complete words", "heron completion bash"}}};
}

}  // namespace heron::cli
