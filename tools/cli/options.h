// Every option there is, and the groups of them that verbs share.
#pragma once

#include <initializer_list>
#include <vector>

#include "command.h"

namespace heron::cli {

inline constexpr Argument kFile{
    "FILE", "the file to read; several, or a quoted glob, are one dataset of all their rows",
    Argument::Kind::File, true, true};

inline constexpr Option kHelp{"-h,--help", "", "this help", &Request::help};
inline constexpr Option kQuiet{"-q,--quiet", "", "no progress and no notes on stderr",
                               &Request::quiet};
inline constexpr Option kVerbose{"--verbose", "", "all notes, not only the first ten of a kind",
                                 &Request::verbose};
inline constexpr Option kFormat{"--format", "NAME", "the file's format: skip detection",
                                &Request::format};
inline constexpr Option kNoMmap{"--no-mmap", "", "read with pread instead of a map",
                                &Request::no_mmap};
inline constexpr Option kNoIndex{"--no-index", "", "do not use what heron index wrote",
                                 &Request::no_index};
inline constexpr Option kValues{"--values", "FORM", "numbers stored as codes (default: original)",
                                &Request::values, "original scaled index"};
inline constexpr Option kMode{"--mode", "MODE", "whether rows are in groups (default: as it looks)",
                              &Request::mode, "ranking plain"};
inline constexpr Option kThreads{.names = "--threads",
                                 .value = "N",
                                 .what = "at most so many (default: as the machine has)",
                                 .into = &Request::threads,
                                 .least = 1};
inline constexpr Option kCacheMib{
    "--cache-mib", "N", "keep so much of decoded blocks (default: 256)", &Request::cache_mib};
inline constexpr Option kMaxDecode{
    "--max-decode", "SIZE", "decode at most so much of a payload for an answer (default: 4GiB)",
    &Request::max_decode};
inline constexpr Option kExplain{
    "--explain", "", "then tell on stderr what reading has cost, as far as it is counted",
    &Request::explain};
inline constexpr Option kTable{"--table", "NAME", "which table (default: the first)",
                               &Request::table};
inline constexpr Option kColumns{
    "-c,--columns", "A,B,C", "these columns, in this order; `a,b` is one name", &Request::columns};
inline constexpr Option kRaw{"--raw", "", "the stored form: times and keys as numbers",
                             &Request::raw};
inline constexpr Option kSparse{"--sparse", "", "vectors as they are stored, not all their slots",
                                &Request::sparse};
inline constexpr Option kRowNumber{
    "--row-number", "", "a first column `row` with the rows' numbers", &Request::row_number};
inline constexpr Option kSkipDamaged{
    "--skip-damaged", "", "go on behind damaged blocks; still ends with 5", &Request::skip_damaged};
inline constexpr Option kDtype{"--dtype", "TYPE", "of npy (default: float32)", &Request::dtype,
                               "float32 float64"};
inline constexpr Option kExact{"--exact", "", "of npy: no number may change, such as by rounding",
                               &Request::exact};
inline constexpr Option kTo{"--to",       "OUT", "write to that file, whole or not at all",
                            &Request::to, {},    true};
inline constexpr Option kForce{"--force", "", "replace files that exist", &Request::force};
inline constexpr Option kOutputRows{"-o,--output", "FORM", "how to print (default: table)",
                                    &Request::output, "table json jsonl csv npy"};
inline constexpr Option kOutputRecords{"-o,--output", "FORM", "how to print (default: table)",
                                       &Request::output, "table json jsonl csv"};
inline constexpr Option kOutputDocument{"-o,--output", "FORM", "how to print (default: table)",
                                        &Request::output, "table json jsonl"};

inline constexpr Option kCount{"-n", "N", "how many rows (default: 10)", &Request::count};
inline constexpr Option kSampleCount{"-n", "N", "how many rows, or groups", &Request::count};
inline constexpr Option kLimit{"--limit", "N", "at most so many rows", &Request::limit};
inline constexpr Option kWhere{"--where", "E", "only rows for which this is true: price > 3.5",
                               &Request::where};
inline constexpr Option kAgg{
    "--agg", "LIST", "of all rows only: count, sum(x), min(x), max(x), mean(x), distinct(x)",
    &Request::aggregates};
inline constexpr Option kAt{"--at", "5,2,9", "the rows' numbers", &Request::at};
inline constexpr Option kAtFile{
    "--at-file", "F", "a file with one row number a line; - is stdin", &Request::at_file, {}, true};
inline constexpr Option kRows{"--rows", "A:B", "rows A up to B, B not included", &Request::rows};
inline constexpr Option kKey{"--key", "V[,V...]",
                             "a key, one value per key column; may be repeated", &Request::keys};
inline constexpr Option kBy{"--by", "COL", "look in this ascending column instead", &Request::by};
inline constexpr Option kSeed{"--seed", "S", "the same seed gives the same rows", &Request::seed};
inline constexpr Option kReplace{"--replace", "", "draw each independently", &Request::replace};
inline constexpr Option kByGroup{
    "--by-group", "", "whole groups of rows, such as all documents of a query", &Request::by_group};
inline constexpr Option kOutPrefix{
    "--out-prefix", "P", "write to the files P.first and P.second", &Request::out_prefix, {}, true};
inline constexpr Option kLabels{
    "--labels", "", "also the largest group, and how many rows have each label", &Request::labels};

// Of text files.
inline constexpr Option kTypes{"--types", "A=TYPE,...",
                               "of CSV: types that are not to be found out", &Request::types};
inline constexpr Option kNullWords{.names = "--null-words",
                                   .value = "A,B",
                                   .what = "of CSV: words for null (default: NA,null,NULL)",
                                   .into = &Request::null_words,
                                   .may_be_empty = true};
inline constexpr Option kSeparator{
    "--separator", "C", "of CSV (default: the one of , ; tab | that fits)", &Request::separator};
inline constexpr Option kEncoding{
    "--encoding", "NAME", "of CSV (default: utf-8, or utf-16 by its mark); bytes: not checked",
    &Request::encoding, "utf-8 latin1 windows-1252 utf-16 bytes"};
inline constexpr Option kNoHeader{"--no-header", "", "of CSV: the first line is a row",
                                  &Request::no_header};

// What every verb has that opens a file.
std::vector<Option> opening_options(std::initializer_list<Option> own);
// What every verb has that prints rows; `own` comes first.
std::vector<Option> row_options(std::initializer_list<Option> own);

}  // namespace heron::cli
