#include "heron/verify.h"
#include "heron/index.h"
#include "options.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

struct VerifyVerbOptions {
  bool deep = false;
};
constexpr Option kDeep{"--deep", "", "then compare the file with all that its index says",
                       into<&VerifyVerbOptions::deep>};

void run_verify(Session& session) {
  session.leave_index_aside();
  for (const std::string& reason : verify(session.dataset(), session.context())) {
    session.note(reason);
  }
  if (session.get<VerifyVerbOptions>().deep &&
      !compare_index(session.argument(0), session.open_options(), session.context())) {
    session.note(
        concat(session.argument(0), ": no index beside it, so no checksums were compared"));
  }
  session.out().append("ok\n");
}

}  // namespace

Verb verify_verb() {
  return {"verify",
          "read all structure and all values; ok, or the first damage",
          {{"heron verify data.jay", "ok"},
           {"heron verify data.jay --deep", "finds any bit that differs from when it was indexed"}},
          {kFile},
          opening_options({kDeep}),
          run_verify};
}

}  // namespace heron::cli
