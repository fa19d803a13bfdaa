#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>

#include "base/fail.h"
#include "heron/convert.h"
#include "heron/error.h"
#include "heron/formats.h"
#include "output/destination.h"
#include "output/row_writer.h"
#include "parsing/arguments.h"
#include "parsing/files.h"
#include "parsing/format_flags.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/shared/requested_rows.h"
#include "verbs/shared/writing.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct ConvertVerbOptions {
  std::string out_dir;
  std::optional<uint64_t> rows_per_file;
  bool unpack = false;
};

constexpr Option kToFormat{.names = "-t,--to-format",
                           .value = "NAME",
                           .what = "write this format (default: the one of OUT's ending)",
                           .read = into<&WritingOptions::to_format>,
                           .kind = Kind::WrittenFormat,
                           .elsewhere = "--output-format --out-format --to-type --as"};
constexpr Option kOutDir{
    .names = "--out-dir",
    .value = "DIR",
    .what = "write each IN to a file of its own in DIR, all scaled together; OUT is left out",
    .read = into<&ConvertVerbOptions::out_dir>,
    .kind = Kind::Folder,
    .elsewhere = "--outdir --output-dir --directory --dir"};
constexpr Option kRowsPerFile{.names = "--rows-per-file",
                              .value = "N",
                              .what = "write files of N rows each: OUT-00000 and so on",
                              .read = into<&ConvertVerbOptions::rows_per_file>,
                              .min = 1,
                              .elsewhere = "--chunk-size --chunksize --max-rows --rows-per-part"};
constexpr Option kUnpack{.names = "--unpack",
                         .value = "",
                         .what = "write what is inside IN, a container, or its --entry, to OUT",
                         .read = into<&ConvertVerbOptions::unpack>,
                         .elsewhere = "--decompress --extract --unzip -x"};
constexpr Option kSampleRows{.names = "--sample",
                             .value = "N",
                             .what = kDrawWhat,
                             .read = into<&DrawOptions::count>,
                             .elsewhere = "-n --sample-size --draw"};

// The input and output files of a call.
struct Files {
  std::vector<std::string> in, out;
  std::string folder;  // folder of the output
};

std::string in_folder(const std::string& folder, const std::string& file,
                      const std::string& format) {
  const std::filesystem::path stem = std::filesystem::path(file).filename().stem();
  return std::filesystem::path(folder) / (stem.string() + std::string(ending_of(format)));
}

Files files_of(Session& session) {
  const auto& requested = session.get<ConvertVerbOptions>();
  const std::string& format = session.get<WritingOptions>().to_format;
  Files files;
  std::vector<std::string> words = session.arguments(0);
  if (requested.out_dir.empty()) {
    if (session.arguments(1).empty()) fail(ErrorKind::Argument, {}, "convert: OUT is missing");
    files.out = session.arguments(1);
    const std::string folder = std::filesystem::path(files.out.front()).parent_path();
    files.folder = folder.empty() ? "." : folder;
    files.in = matching_files(words);
    return files;
  }
  words.insert(words.end(), session.arguments(1).begin(), session.arguments(1).end());
  files.in = matching_files(words);
  files.folder = requested.out_dir;
  if (format.empty()) {
    fail(ErrorKind::Argument, {}, "--out-dir needs --to-format, which names the format");
  }
  for (const std::string& file : files.in) {
    files.out.push_back(in_folder(requested.out_dir, file, format));
    if (std::count(files.out.begin(), files.out.end(), files.out.back()) > 1) {
      fail(ErrorKind::Argument, file, "another input is written to the same file ",
           files.out.back());
    }
  }
  return files;
}

void report_rate(Session& session, uint64_t in, uint64_t out, double seconds, uint64_t payload) {
  if (session.get<CommonOptions>().quiet) return;
  session.note(fmt::format("{} bytes in, {} bytes out, {:.2f} s, {:.1f} MB/s of payload", in, out,
                           seconds, static_cast<double>(payload) / 1e6 / seconds));
}

// Wraps a file in a container, or unwraps it, without reading its rows.
void convert_bytes(Session& session, const std::string& in, const std::string& out) {
  const bool unpack = session.get<ConvertVerbOptions>().unpack;
  if (const std::string_view flag = first_write_flag(session); unpack && !flag.empty()) {
    fail(ErrorKind::Argument, {}, flag, " does not apply to --unpack");
  }
  const auto start = Clock::now();
  WrapOptions options = convert_options(session, out).wrap;
  options.mmap = session.open_options().mmap;
  std::error_code unknown;  // reading reports a file that does not exist
  const uint64_t in_bytes = std::filesystem::file_size(in, unknown);
  const uint64_t out_bytes =
      unpack
          ? unwrap(in, out, {.replace = options.replace, .open = session.open_options()},
                   session.context())
          : wrap(in, out, options, session.context());
  const std::chrono::duration<double> taken = Clock::now() - start;
  report_rate(session, in_bytes, out_bytes, taken.count(), unpack ? out_bytes : in_bytes);
}

// Returns whole forests to write into one file, if its format holds forests; empty otherwise.
std::vector<RowSourcePtr> forests_to_merge(Session& session, const Files& files,
                                           const ConvertOptions& options) {
  if (!session.get<ConvertVerbOptions>().out_dir.empty()) return {};
  const std::string format = options.write.format.empty() ? format_by_name(files.out.front()).format
                                                          : options.write.format;
  if (format.empty() || !stores_forests(format)) return {};
  return requested_forests(session, files.in);
}

std::vector<RowSourcePtr> sources_of(Session& session, const Files& files) {
  return session.get<ConvertVerbOptions>().out_dir.empty()
             ? std::vector{requested_rows(session, files.in, files.folder)}
             : requested_rows_of_each(session, files.in, files.folder);
}

void convert_rows(Session& session, const Files& files) {
  ConvertOptions options = convert_options(session, files.out.front());
  options.rows_per_file = session.get<ConvertVerbOptions>().rows_per_file.value_or(0);
  const auto start = Clock::now();
  const std::vector<RowSourcePtr> forests = forests_to_merge(session, files, options);
  const std::vector<RowSourcePtr> sources =
      forests.empty() ? sources_of(session, files) : std::vector<RowSourcePtr>();
  const std::chrono::duration<double> open_seconds = Clock::now() - start;
  ConvertReport report =
      forests.empty() ? convert(sources, files.out, options, session.context())
                      : merge_forests(forests, files.out.front(), options, session.context());
  report.seconds += open_seconds.count();
  report_written(session, report);
}

// Returns whether to print CSV to a device, a pipe or an open descriptor, which are not files.
bool prints_text(const std::string& to_format, const std::string& out) {
  const std::string format = to_format.empty() ? format_by_name(out).format : to_format;
  return format == "csv" && !is_file(out);
}

// Prints rows as scan -o csv does.
void print_text(Session& session, const Files& files) {
  convert_options(session, files.out.front());  // checks the options of formats
  const RowSourcePtr rows = requested_rows(session, files.in, files.folder);
  std::vector<uint64_t> columns(rows->schema().size());
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  Destination destination(files.out.front(), session.get<OutputOptions>().force);
  note_lost_shapes(rows->schema(), session.context().note);
  const auto writer = make_csv_rows(destination.sink(), rows->schema(), {});
  const auto stream = rows->read(columns, session.context());
  for (RowBatch batch; stream->next(batch);) writer->write(batch);
  writer->finish();
  destination.finish();
}

// Returns whether any option applies to rows.
bool has_row_options(const Session& session, const std::string& out) {
  const auto& requested = session.get<ConvertVerbOptions>();
  const auto& table = session.get<TableOptions>();
  const auto& writing = session.get<WritingOptions>();
  return !writing.to_format.empty() || !table.columns.empty() || table.where ||
         !session.get<RangeOptions>().rows.empty() || session.get<DrawOptions>().count ||
         requested.rows_per_file || !writing.sort_key.empty() || !requested.out_dir.empty() ||
         !table.table.empty() || !session.get<OpeningOptions>().entry.empty() || writing.cast ||
         writing.drop_unsupported || table.skip_damaged ||
         !convert_options(session, out).write.format_options.empty() ||
         !session.get<FormatValues>().open.empty();
}

// Returns whether to wrap the file as it is: no options apply to rows, and it has the format that
// the name inside the container's name says, if any.
bool keeps_bytes(Session& session, const Files& files) {
  if (session.get<ConvertVerbOptions>().unpack) return true;
  const NamedFormat requested = format_by_name(files.out.front());
  if (files.in.size() != 1 || requested.containers == 0) return false;
  if (has_row_options(session, files.out.front())) return false;
  if (requested.format.empty()) return true;
  const NamedFormat named = format_by_name(files.in.front());
  const uint64_t inside = requested.containers - 1;
  if (named.format == requested.format) return named.containers == inside;
  if (is_csv(session.get<OpeningOptions>().format, files.in)) return false;
  const auto opened = open(files.in.front(), session.open_options(), session.context());
  return opened->format() == requested.format && opened->containers().size() == inside;
}

// The folder of --out-dir: created if it does not exist, and removed again if it is still empty.
class OutFolder {
 public:
  explicit OutFolder(const std::filesystem::path& path) {
    std::error_code failed;
    for (auto at = path; !at.empty() && !std::filesystem::exists(at, failed);
         at = at.parent_path()) {
      made_.push_back(at);
    }
    std::filesystem::create_directories(path, failed);
    if (failed) fail(ErrorKind::Write, path.string(), "cannot be created: ", failed.message());
  }
  ~OutFolder() {
    std::error_code not_empty;
    for (const auto& path : made_) std::filesystem::remove(path, not_empty);
  }
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  // created folders, innermost first
};

void run_convert(Session& session) {
  const Files files = files_of(session);
  std::optional<OutFolder> folder;
  if (!session.get<ConvertVerbOptions>().out_dir.empty()) folder.emplace(files.folder);
  if (!session.get<ConvertVerbOptions>().rows_per_file) {
    for (const std::string& out : files.out) session.check_output("OUT", out);
  }
  if (!keeps_bytes(session, files)) {
    const bool prints = prints_text(session.get<WritingOptions>().to_format, files.out.front());
    return prints ? print_text(session, files) : convert_rows(session, files);
  }
  if (files.in.size() != 1) {
    fail(ErrorKind::Argument, {}, "--unpack takes one file, got ", files.in.size());
  }
  convert_bytes(session, files.in.front(), files.out.front());
}

std::vector<Option> convert_verb_options() {
  std::vector<Option> own = {kToFormat, kOutDir, kForce,
                             // rows
                             kColumns, kWhere, kParameter, kRows, kSampleRows, kSeed, kReplace,
                             kByGroup, kTable,
                             // output
                             kCast, kDropUnsupported, kSortKey, kRowsPerFile, kUnpack};
  const std::vector<Option>& of_formats = format_flags(FormatOption::Use::Write);
  own.insert(own.end(), of_formats.begin(), of_formats.end());
  own.push_back(kSkipDamaged);
  return opening_options(std::move(own), {kExplain});
}

}  // namespace

Verb convert_verb() {
  return {
      "convert",
      "write rows of any format in another one, or a file into a container",
      {{"heron convert data.csv data.jay", "a CSV, whose types are inferred from all of it"},
       {"heron convert data.jay rows.idv --where \"price > 3.5\" -c id,price",
        "some rows and columns"},
       {"heron convert data.jay some.jay --sample 1000", "a thousand rows, drawn at random"},
       {"heron convert 'part-*.jay' all.jay --key id", "many files into one, sorted"},
       {"heron convert all.jay part.idv --rows-per-file 1000000", "one file into many"},
       {"heron convert data.jay points.balsa --cast --drop-unsupported",
        "the columns whose values fit"},
       {"heron convert train.csv valid.csv --out-dir sets --to-format jforests --query qid",
        "two files whose features share ranges"},
       {"heron convert a.balsa b.balsa all.balsa", "forests of the same classes into one forest"},
       {"heron convert data.jay data.csv.gz",
        "a CSV, as scan -o csv prints it; or .bz2, .xz, .zst"},
       {"heron convert data.jay data.jay.tz", "a small file whose rows can still be read"},
       {"heron convert --unpack data.jay.tz data.jay", "the same file again, byte for byte"},
       {"heron convert --unpack MODEL.zip --entry Data/train.idv train.idv",
        "a file of an archive"}},
      {{"IN", "the files to read: of any format, or .csv; several follow each other", Kind::File,
        true, true},
       {"OUT",
        "the file to write; its ending names the format, in a container or not: .jay.tz, .csv.gz",
        Kind::File,
        false,
        false,
        {},
        "-o --output --out --to --output-file --outfile --dest"}},
      convert_verb_options(),
      run_convert,
      "A column that does not fit is reported before anything is written. OUT appears whole or not "
      "at all. It replaces another file only with --force: then it keeps that file's mode and, if "
      "permitted, owner; a symbolic link is followed.\n\nTypes by format:\n\n" +
          what_fits_where() +
          "\nA .tz is made in memory: twice the payload and 1 MB without --prev, up to N / 8 + 6 "
          "times the payload and 23 MB with.\n",
      {{"export import write save tojsonl cp copy transform to into-csv",
        "to write rows in another format", "heron convert FILE OUT"},
       {"concat merge append vstack", "to write several files, or forests, as one",
        "heron convert FILE FILE OUT"},
       {"pack compress", "to compress a file", "heron convert FILE FILE.tz"},
       {"unpack decompress extract unzip", "to unpack a container",
        "heron convert --unpack FILE OUT"},
       {"dedup deduplicate", "to sort rows by a key in which they are unique",
        "heron convert FILE OUT --key A"}}};
}

}  // namespace heron::cli
