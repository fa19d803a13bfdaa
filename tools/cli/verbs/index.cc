#include "heron/index.h"

#include <fmt/core.h>

#include <filesystem>
#include <functional>

#include "output/json_writer.h"
#include "output/printable.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct IndexVerbOptions {
  bool remove = false;
};
constexpr Option kRemove{.names = "--remove",
                         .value = "",
                         .what = "remove the index",
                         .read = into<&IndexVerbOptions::remove>,
                         .elsewhere = "--delete --drop --rm"};

// Prints a document, whose members `add` writes, or one line of text with the same content.
void print(Session& session, const std::function<void(JsonWriter&)>& add, std::string_view line) {
  const std::string& form = session.get<OutputOptions>().output;
  if (form == "table" || form == "vertical") {
    append_printable(session.out(), line);
  } else {
    JsonWriter document(session.out(), form == "json");
    document.begin_object();
    add(document);
    document.end_object();
  }
  session.out().append('\n');
}

void remove(Session& session) {
  const std::string file = session.argument(0);
  const std::string path = std::filesystem::is_directory(file) ? file : index_path(file);
  const bool removed = remove_index(file);
  print(
      session,
      [&](JsonWriter& document) {
        document.member("path", path);
        document.member("removed", removed);
      },
      fmt::format("{}: {}", path, removed ? "removed" : "there is none"));
}

void write(Session& session) {
  const IndexReport report =
      write_index(session.argument(0), session.open_options(), session.context());
  print(
      session,
      [&](JsonWriter& document) {
        document.member("path", report.path);
        document.member("bytes", report.bytes);
        document.member("columns", report.columns);
        document.member("zones", report.zones);
        document.member("formats", report.formats);
        document.member("checksums", report.checksums);
      },
      fmt::format("{}: {} bytes; zones: {}, of {} columns; checksums: {}", report.path,
                  report.bytes, report.zones, report.columns, report.checksums));
}

void run_index(Session& session) {
  session.get<IndexVerbOptions>().remove ? remove(session) : write(session);
}

}  // namespace

Verb index_verb() {
  return {"index",
          "write FILE.heron, which makes later queries fast",
          {{"heron index data.jay", "writes data.jay.heron"},
           {"heron verify data.jay --deep", "compares the file with its checksums"},
           {"heron index data.jay --remove", "removes data.jay.heron"}},
          {kFile},
          opening_options({kRemove, kOutputDocument, kTo, kForce}),
          run_index,
          "The index FILE.heron holds the minimum, the maximum and the number of nulls of every "
          "column in each zone of rows, the number of distinct values of every column, what the "
          "format needs to open the file sooner, and a checksum of each MiB of the file. All verbs "
          "use it, unless --no-index. It names the size, the time of change and the content of the "
          "file: an index of another file, a damaged one, and one that another user owns or may "
          "write to is ignored, with a note on stderr. A file that is no index is neither replaced "
          "nor removed.\n"
          "Of a folder that is a dataset, each file gets an index, and the line adds them up. "
          "HERON_INDEX_DIR names a folder for indexes, instead of beside the files.\n",
          {{"idx reindex build-index", "to make later queries fast", "heron index FILE"}}};
}

}  // namespace heron::cli
