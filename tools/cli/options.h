// The options that verbs share. What only one verb has stands in its own file.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "command.h"

namespace heron::cli {

// Of every verb.
struct CommonOptions {
  bool help = false;
  bool quiet = false;
  bool verbose = false;
};

// Of every verb that opens a file.
struct OpeningOptions {
  std::string format;
  std::string entry;
  std::string values;
  std::string mode;
  bool no_mmap = false;
  std::string access;
  bool no_index = false;
  std::optional<uint64_t> threads;
  std::optional<uint64_t> cache_mib;
  std::optional<ByteSize> max_decode;
  bool explain = false;
};

// What is read of a file.
struct TableOptions {
  std::string table;
  std::string columns;  // a list of names, empty: all
  std::optional<std::string> where;
  bool skip_damaged = false;
};
// The rows A:B of it.
struct RangeOptions {
  std::string rows;
};

// How and where an answer is written.
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

// How many rows, and which at random.
struct DrawOptions {
  std::optional<uint64_t> count;  // -n
  std::optional<uint64_t> seed;
  bool replace = false;
  bool by_group = false;
};

// How text files are read.
struct TextOptions {
  std::string types;
  std::string null_words = "NA,null,NULL";
  std::string separator;
  std::string encoding;
  bool no_header = false;
};

// Groups of rows.
struct GroupOptions {
  std::string by;  // a list of names, empty: no groups
};

inline constexpr Argument kFile{
    "FILE", "the file to read; several, or a quoted glob, are one dataset of all their rows",
    Argument::Kind::File, true, true};

inline constexpr Option kHelp{"-h,--help", "", "this help", into<&CommonOptions::help>};
inline constexpr Option kQuiet{"-q,--quiet", "", "no progress and no notes on stderr",
                               into<&CommonOptions::quiet>};
inline constexpr Option kVerbose{"--verbose", "", "all notes, not only the first ten of a kind",
                                 into<&CommonOptions::verbose>};
inline constexpr Option kFormat{"--format", "NAME", "the file's format: skip detection",
                                into<&OpeningOptions::format>};
inline constexpr Option kEntry{"--entry", "PATH", "of an archive, open this entry alone",
                               into<&OpeningOptions::entry>};
inline constexpr Option kNoMmap{"--no-mmap", "", "read with pread instead of a map",
                                into<&OpeningOptions::no_mmap>};
inline constexpr Option kAccess{"--access", "FORM",
                                "pages of the file: in memory or not, or read once (default: auto)",
                                into<&OpeningOptions::access>, "auto warm cold once"};
inline constexpr Option kNoIndex{"--no-index", "", "do not use what heron index wrote",
                                 into<&OpeningOptions::no_index>};
inline constexpr Option kValues{"--values", "FORM", "numbers stored as codes (default: original)",
                                into<&OpeningOptions::values>, "original scaled index"};
inline constexpr Option kMode{"--mode", "MODE", "whether rows are in groups (default: as it looks)",
                              into<&OpeningOptions::mode>, "ranking plain"};
inline constexpr Option kThreads{.names = "--threads",
                                 .value = "N",
                                 .what = "at most N (default: as many as the machine has)",
                                 .read = into<&OpeningOptions::threads>,
                                 .least = 1};
inline constexpr Option kCacheMib{"--cache-mib", "N", "keep N MiB of decoded blocks (default: 256)",
                                  into<&OpeningOptions::cache_mib>};
inline constexpr Option kMaxDecode{"--max-decode", "SIZE",
                                   "decode at most SIZE of a payload for an answer (default: 4GiB)",
                                   into<&OpeningOptions::max_decode>};
inline constexpr Option kExplain{
    "--explain", "", "then print on stderr what the query cost, as far as it is counted",
    into<&OpeningOptions::explain>};
inline constexpr Option kTable{"--table", "NAME", "which table (default: the first)",
                               into<&TableOptions::table>};
inline constexpr Option kColumns{"-c,--columns", "A,B,C",
                                 "these columns, in this order; `a,b` is one name",
                                 into<&TableOptions::columns>};
inline constexpr Option kRaw{"--raw", "", "the stored form: times and keys as numbers",
                             into<&OutputOptions::raw>};
inline constexpr Option kSparse{"--sparse", "", "vectors as they are stored, not all their slots",
                                into<&OutputOptions::sparse>};
inline constexpr Option kRowNumber{"--row-number", "",
                                   "a first column `row` with the rows' numbers",
                                   into<&OutputOptions::row_number>};
inline constexpr Option kSkipDamaged{"--skip-damaged", "",
                                     "go on behind damaged blocks; still ends with 5",
                                     into<&TableOptions::skip_damaged>};
inline constexpr Option kDtype{"--dtype", "TYPE", "of npy (default: float32)",
                               into<&OutputOptions::dtype>, "float32 float64"};
inline constexpr Option kExact{"--exact", "", "of npy: no number may change, such as by rounding",
                               into<&OutputOptions::exact>};
inline constexpr Option kTo{
    "--to", "OUT", "write to that file, whole or not at all", into<&OutputOptions::to>, {}, true};
inline constexpr Option kForce{"--force", "", "replace files that exist",
                               into<&OutputOptions::force>};
inline constexpr Option kOutputRows{"-o,--output", "FORM", "how to print (default: table)",
                                    into<&OutputOptions::output>,
                                    "table vertical json jsonl csv npy"};
inline constexpr Option kOutputRecords{"-o,--output", "FORM", "how to print (default: table)",
                                       into<&OutputOptions::output>,
                                       "table vertical json jsonl csv"};
inline constexpr Option kOutputDocument{"-o,--output", "FORM", "how to print (default: table)",
                                        into<&OutputOptions::output>, "table vertical json jsonl"};

inline constexpr Option kCount{"-n", "N", "how many rows (default: 10)", into<&DrawOptions::count>};
inline constexpr Option kSampleCount{"-n", "N", "how many rows, or groups",
                                     into<&DrawOptions::count>};
inline constexpr Option kWhere{"--where", "E", "only rows for which this is true: price > 3.5",
                               into<&TableOptions::where>};
inline constexpr Option kGroupBy{"--by", "A,B",
                                 "a line for each group of rows with equal values in these columns",
                                 into<&GroupOptions::by>};
inline constexpr Option kRows{"--rows", "A:B", "rows A up to B, B not included",
                              into<&RangeOptions::rows>};
inline constexpr Option kSeed{"--seed", "S", "the same seed gives the same rows",
                              into<&DrawOptions::seed>};
inline constexpr Option kReplace{"--replace", "", "draw each independently",
                                 into<&DrawOptions::replace>};
inline constexpr Option kByGroup{"--by-group", "",
                                 "whole groups of rows, such as all documents of a query",
                                 into<&DrawOptions::by_group>};

// Of text files.
inline constexpr Option kTypes{"--types", "A=TYPE,...", "of CSV: types that are not to be inferred",
                               into<&TextOptions::types>};
inline constexpr Option kNullWords{.names = "--null-words",
                                   .value = "A,B",
                                   .what = "of CSV: words for null (default: NA,null,NULL)",
                                   .read = into<&TextOptions::null_words>,
                                   .may_be_empty = true};
inline constexpr Option kSeparator{"--separator", "C",
                                   "of CSV (default: the one of , ; tab | that fits)",
                                   into<&TextOptions::separator>};
inline constexpr Option kEncoding{
    "--encoding", "NAME", "of CSV (default: utf-8, or utf-16 by its mark); bytes: not checked",
    into<&TextOptions::encoding>, "utf-8 latin1 windows-1252 utf-16 bytes"};
inline constexpr Option kNoHeader{"--no-header", "", "of CSV: the first line is a row",
                                  into<&TextOptions::no_header>};

// What every verb has that opens a file.
std::vector<Option> opening_options(std::initializer_list<Option> own);
// The options of every verb that prints rows; `own` comes first.
std::vector<Option> row_options(std::initializer_list<Option> own);

}  // namespace heron::cli
