#include "base/fail.h"
#include "heron/error.h"
#include "heron/library.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {

Verb version_verb() {
  return {"version",
          "print the program's version",
          {{"heron version", "heron " HERON_VERSION}},
          {},
          {kHelp},
          [](Session& session) { session.out().append(concat("heron ", version(), '\n')); },
          {},
          {{"-V -v ver", "to print the version", "heron version"}}};
}

}  // namespace heron::cli
