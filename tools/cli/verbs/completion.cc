#include "completion.h"

#include "options.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {

Verb completion_verb() {
  return {"completion",
          "completion of verbs and options for a shell",
          {{"source <(heron completion bash)", "for this shell"},
           {"heron completion fish > ~/.config/fish/completions/heron.fish", "for good"}},
          {{"SHELL", "which", Argument::Kind::Word, true, false, "bash zsh fish"}},
          {kHelp},
          [](Session& session) { session.out().append(completion_for(session.argument(0))); }};
}

}  // namespace heron::cli
