#include "help.h"

#include "options.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_help(Session& session) {
  const std::string name = session.argument(0);
  if (name.empty()) return session.out().append(general_help());
  session.out().append(help_of(verb_named(name)));
}

}  // namespace

Verb help_verb() {
  return {"help",
          "this, or more on one verb",
          {{"heron help find", "all that find can do"}},
          {{"VERB", "a verb", Argument::Kind::Verb, false}},
          {kHelp},
          run_help};
}

}  // namespace heron::cli
