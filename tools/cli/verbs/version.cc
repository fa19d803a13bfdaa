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
          [](Session& session) { session.out().append("heron " HERON_VERSION "\n"); }};
}

}  // namespace heron::cli
