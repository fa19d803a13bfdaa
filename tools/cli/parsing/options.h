// The options that verbs share. An option of only one verb is defined in that verb's file.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "parsing/command.h"

namespace heron::cli {

// Options of every verb.
struct CommonOptions {
  bool help = false;
  bool quiet = false;
  bool verbose = false;
};

// Options of every verb that opens a file.
struct OpeningOptions {
  std::string format;
  std::string entry;
  bool no_mmap = false;
  std::string access;
  bool no_index = false;
  std::optional<uint64_t> threads;
  std::optional<uint64_t> cache_mib;
  std::optional<ByteSize> max_decode;
  bool explain = false;
};

// The table, columns and rows that are read.
struct TableOptions {
  std::string table;
  std::string columns;  // a list of names, empty: all
  std::optional<std::string> where;
  bool skip_damaged = false;
};
// Values for the ? of --where.
struct ParameterOptions {
  std::vector<std::string> values;
};
// The order of rows.
struct SortOptions {
  std::string order_by;
};
// The range A:B of rows.
struct RangeOptions {
  std::string rows;
};

// The form and destination of an answer.
struct OutputOptions {
  std::string output = "table";
  bool row_number = false;
  bool raw = false;
  bool sparse = false;
  std::string dtype;
  bool exact = false;
  std::string to;
  bool force = false;
};

// The number of rows, and which of them are drawn at random.
struct DrawOptions {
  std::optional<uint64_t> count;  // -n, --sample
  std::optional<uint64_t> seed;
  bool replace = false;
  bool by_group = false;
};

// Options for groups of rows.
struct GroupOptions {
  std::string by;  // a list of names, empty: no groups
};

inline constexpr Argument kFile{
    "FILE", "the file to read; several files, or a quoted glob, are read as one dataset",
    Kind::File, true, true};

// An option of all verbs: their help points to `heron help options`.
inline constexpr Option kHelp{.names = "-h,--help",
                              .value = "",
                              .what = "print the help of the verb",
                              .read = into<&CommonOptions::help>,
                              .section = Section::Running,
                              .elsewhere = "-? --usage -help --man"};
inline constexpr Option kQuiet{.names = "-q,--quiet",
                               .value = "",
                               .what = "print no progress and no notes on stderr",
                               .read = into<&CommonOptions::quiet>,
                               .section = Section::Running,
                               .elsewhere = "--silent --no-progress"};
inline constexpr Option kVerbose{.names = "--verbose",
                                 .value = "",
                                 .what = "print all notes, not only the first ten of a kind",
                                 .read = into<&CommonOptions::verbose>,
                                 .section = Section::Running,
                                 .elsewhere = "-v --debug"};
inline constexpr Option kFormat{.names = "--format",
                                .value = "NAME",
                                .what = "read the file as this format instead of detecting it",
                                .read = into<&OpeningOptions::format>,
                                .kind = Kind::Format,
                                .section = Section::Opening,
                                .elsewhere = "--input-format --from --from-format --filetype"};
inline constexpr Option kEntry{.names = "--entry",
                               .value = "PATH",
                               .what = "open only this entry of an archive",
                               .read = into<&OpeningOptions::entry>,
                               .kind = Kind::Entry,
                               .section = Section::Opening,
                               .elsewhere = "--member --path --inside"};
inline constexpr Option kNoMmap{.names = "--no-mmap",
                                .value = "",
                                .what = "read with pread instead of mapping the file",
                                .read = into<&OpeningOptions::no_mmap>,
                                .section = Section::Opening,
                                .elsewhere = "--no-map --nommap --pread"};
inline constexpr Option kAccess{
    .names = "--access",
    .value = "FORM",
    .what = "hint: is the file already in memory (warm) or not (cold), and is it read only once? "
            "(default: auto)",
    .read = into<&OpeningOptions::access>,
    .choices = "auto warm cold once",
    .section = Section::Opening,
    .elsewhere = "--warm --cold --once"};
inline constexpr Option kNoIndex{.names = "--no-index",
                                 .value = "",
                                 .what = "ignore the index that heron index wrote",
                                 .read = into<&OpeningOptions::no_index>,
                                 .section = Section::Opening,
                                 .elsewhere = "--noindex --ignore-index"};
inline constexpr Option kThreads{
    .names = "--threads",
    .value = "N",
    .what = "use at most N threads (default: as many as the machine has)",
    .read = into<&OpeningOptions::threads>,
    .min = 1,
    .section = Section::Running,
    .elsewhere = "-j --jobs --cores --workers --num-threads --parallel -p"};
inline constexpr Option kCacheMib{
    .names = "--cache-mib",
    .value = "N",
    .what = "keep up to N MiB of decoded blocks in memory (default: 256)",
    .read = into<&OpeningOptions::cache_mib>,
    .section = Section::Running,
    .elsewhere = "--cache --cache-size --cache-mb"};
inline constexpr Option kMaxDecode{
    .names = "--max-decode",
    .value = "SIZE",
    .what = "refuse answers that must unpack more than SIZE (default: 4GiB)",
    .read = into<&OpeningOptions::max_decode>,
    .section = Section::Running,
    .elsewhere = "--max-memory --memory-limit --max-size"};
inline constexpr Option kExplain{.names = "--explain",
                                 .value = "",
                                 .what = "print on stderr what the query cost",
                                 .read = into<&OpeningOptions::explain>,
                                 .section = Section::Running,
                                 .elsewhere = "--profile --analyze --timing --plan"};

// Options of verbs that read rows.
inline constexpr Option kTable{.names = "--table",
                               .value = "NAME",
                               .what = "read this table of the file (default: the first)",
                               .read = into<&TableOptions::table>,
                               .kind = Kind::Table,
                               .elsewhere = "--sheet --dataset --object"};
inline constexpr Option kColumns{
    .names = "-c,--columns",
    .value = "A,B,C",
    .what = "read only these columns or expressions, in this order; a name with a comma is `a,b`",
    .read = into<&TableOptions::columns>,
    .kind = Kind::Columns,
    .elsewhere = "--select --cols --fields --column --field -f --keep --include --usecols"};
inline constexpr Option kWhere{
    .names = "--where",
    .value = "E",
    .what = "read only rows for which this is true: price > 3.5",
    .read = into<&TableOptions::where>,
    .kind = Kind::Expression,
    .elsewhere = "--filter --query --if --predicate --predicate -w --grep --search"};
inline constexpr Option kParameter{
    .names = "--param",
    .value = "V",
    .what = "a value for the next ? in --where, taken as it is; may be repeated",
    .read = into<&ParameterOptions::values>,
    .repeats = true,
    .elsewhere = "--parameter --bind --arg"};
inline constexpr Option kOrderBy{
    .names = "--order-by",
    .value = "A,B:desc",
    .what = "sort by these columns, nulls first, or with :desc in reverse",
    .read = into<&SortOptions::order_by>,
    .kind = Kind::Order,
    .elsewhere = "--sort --sort-by --order --orderby --desc --reverse -r"};
inline constexpr Option kRows{.names = "--rows",
                              .value = "A:B",
                              .what = "read only rows A up to B, B not included",
                              .read = into<&RangeOptions::rows>,
                              .kind = Kind::Rows,
                              .elsewhere = "--range --slice --row-range"};
inline constexpr Option kSkipDamaged{
    .names = "--skip-damaged",
    .value = "",
    .what = "leave out damaged blocks and go on; the exit code is still 5",
    .read = into<&TableOptions::skip_damaged>,
    .elsewhere = "--ignore-errors --skip-errors --continue"};
inline constexpr Option kGroupBy{
    .names = "--by",
    .value = "A,B",
    .what = "print a line for each group of rows with equal values in these columns",
    .read = into<&GroupOptions::by>,
    .kind = Kind::Columns,
    .elsewhere = "--group-by --groupby --group --group_by --key --keys"};

// Options of verbs that print rows or lines.
inline constexpr Option kRaw{.names = "--raw",
                             .value = "",
                             .what = "print values as they are stored: times and keys as numbers",
                             .read = into<&OutputOptions::raw>,
                             .elsewhere = "--stored"};
inline constexpr Option kSparse{
    .names = "--sparse",
    .value = "",
    .what = "print vectors as they are stored, instead of all their slots",
    .read = into<&OutputOptions::sparse>};
inline constexpr Option kRowNumber{
    .names = "--row-number",
    .value = "",
    .what = "print the rows' numbers in a first column `row`",
    .read = into<&OutputOptions::row_number>,
    .elsewhere = "--row-index --with-row-index --row-numbers --line-numbers --index"};
inline constexpr Option kDtype{.names = "--dtype",
                               .value = "TYPE",
                               .what = "write numbers of this type with -o npy (default: float32)",
                               .read = into<&OutputOptions::dtype>,
                               .choices = "float32 float64",
                               .elsewhere = "--precision"};
inline constexpr Option kExact{
    .names = "--exact",
    .value = "",
    .what = "refuse -o npy if a number would change, such as by rounding",
    .read = into<&OutputOptions::exact>,
    .elsewhere = "--lossless"};
inline constexpr Option kTo{.names = "--to",
                            .value = "OUT",
                            .what = "write to this file, whole or not at all, instead of stdout",
                            .read = into<&OutputOptions::to>,
                            .kind = Kind::File,
                            .elsewhere = "--out --output-file --outfile --out-file --file --save"};
inline constexpr Option kForce{.names = "--force",
                               .value = "",
                               .what = "replace files that exist",
                               .read = into<&OutputOptions::force>,
                               .elsewhere = "--overwrite --clobber -y --yes -F"};
// The option -o with a verb's set of forms.
constexpr Option output_option(std::string_view forms) {
  return {.names = "-o,--output",
          .value = "FORM",
          .what = "print in this form (default: table)",
          .read = into<&OutputOptions::output>,
          .choices = forms,
          .elsewhere = "--output-format --out-format --as --json --jsonl --csv --pretty"};
}
inline constexpr Option kOutputRows = output_option("table vertical json jsonl csv npy");
inline constexpr Option kOutputRecords = output_option("table vertical json jsonl csv");
inline constexpr Option kOutputDocument = output_option("table vertical json jsonl");

// Options of verbs that count or draw.
inline constexpr Option kCount{
    .names = "-n",
    .value = "N",
    .what = "print N rows (default: 10)",
    .read = into<&DrawOptions::count>,
    .elsewhere = "--limit --lines --rows --count --number --num -l --first --last"};
inline constexpr std::string_view kDrawWhat = "draw N rows, or with --by-group N groups";
inline constexpr Option kSampleCount{
    .names = "-n",
    .value = "N",
    .what = kDrawWhat,
    .read = into<&DrawOptions::count>,
    .elsewhere = "--limit --rows --count --number --size --sample -k"};
inline constexpr Option kSeed{.names = "--seed",
                              .value = "S",
                              .what = "draw the same rows for the same seed",
                              .read = into<&DrawOptions::seed>,
                              .elsewhere = "--random-seed --random-state --random-source"};
inline constexpr Option kReplace{
    .names = "--replace",
    .value = "",
    .what = "draw each row from all rows, so that it may come several times",
    .read = into<&DrawOptions::replace>,
    .elsewhere = "--with-replacement --replacement"};
inline constexpr Option kByGroup{
    .names = "--by-group",
    .value = "",
    .what = "draw whole groups of rows, such as all documents of a query",
    .read = into<&DrawOptions::by_group>,
    .elsewhere = "--groups --group --by-query"};

// The options of every verb that opens a file, by section: `heron help options` lists these.
const std::vector<Option>& common_options();
// Options of a verb that opens a file: its own, then the common ones that it neither has nor leaves
// out.
std::vector<Option> opening_options(std::vector<Option> own,
                                    std::initializer_list<Option> left_out = {});
// The options of a verb that prints rows: its own, those of all such verbs, the common ones.
std::vector<Option> row_options(std::initializer_list<Option> own);

}  // namespace heron::cli
