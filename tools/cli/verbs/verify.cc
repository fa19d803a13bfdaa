#include "base/fail.h"
#include "heron/check.h"
#include "heron/index.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct VerifyVerbOptions {
  bool deep = false;
};
constexpr Option kDeep{.names = "--deep",
                       .value = "",
                       .what = "then compare the file with all that its index holds",
                       .read = into<&VerifyVerbOptions::deep>,
                       .elsewhere = "--full --checksum --checksums"};

void run_verify(Session& session) {
  session.leave_index_aside();
  for (const std::string& reason : verify(session.file(), session.context())) {
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
          "read the whole file and print ok, or report the first damage",
          {{"heron verify data.jay", "reads all structure and all values"},
           {"heron verify data.jay --deep", "finds any bit that has changed since heron index"}},
          {kFile},
          opening_options({kDeep}),
          run_verify,
          {},
          {{"validate check test fsck", "to check a file for damage", "heron verify FILE"}}};
}

}  // namespace heron::cli
