#include "heron/version.h"
#include "heron/error.h"
#include "options.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {

Verb version_verb() {
  return {"version",
          "the program's version",
          {{"heron version", "heron " HERON_VERSION}},
          {},
          {kHelp},
          [](Session& session) { session.out().append(concat("heron ", version(), '\n')); }};
}

}  // namespace heron::cli
