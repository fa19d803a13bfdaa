#include "heron/query.h"
#include "options.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

void run(Session& session) {
  for (const std::string& reason : verify(session.dataset(), session.context())) {
    session.note(reason);
  }
  session.out().append("ok\n");
}

}  // namespace

Verb verify_verb() {
  return {"verify",
          "read all structure and all values; ok, or the first damage",
          {{"heron verify data.jay", "ok"}},
          {kFile},
          opening_options({}),
          run};
}

}  // namespace heron::cli
