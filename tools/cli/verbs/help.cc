#include "help.h"

#include "options.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run_help(Session& session) {
  const std::string name = session.argument(0);
  print_help(session.out(), name.empty() ? nullptr : &verb_named(name));
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
