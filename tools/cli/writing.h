// Helpers of the verbs that write files of a format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command.h"
#include "heron/convert.h"
#include "session.h"

namespace heron::cli {

// Options of written files, and of columns that do not fit their format.
struct WritingOptions {
  std::string to_format;
  std::string byte_order;  // "little", "big" or not given
  std::optional<uint64_t> class_count;
  std::optional<uint64_t> feature_count;
  std::optional<uint64_t> block_rows;
  std::optional<uint64_t> compression;
  std::string layout;  // "typed", "legacy" or not given
  std::string label_column;
  std::string group_column;
  std::string sort_key;
  bool cast = false;
  bool drop_unsupported = false;
};

inline constexpr Option kCast{
    .names = "--cast",
    .value = "",
    .what = "write columns that do not fit as another type, if it holds all their values",
    .read = into<&WritingOptions::cast>,
    .elsewhere = "--coerce --convert-types"};
inline constexpr Option kDropUnsupported{.names = "--drop-unsupported",
                                         .value = "",
                                         .what = "leave out columns that do not fit",
                                         .read = into<&WritingOptions::drop_unsupported>,
                                         .elsewhere = "--drop --ignore-unsupported"};
inline constexpr Option kTarget{
    .names = "--target",
    .value = "COLUMN",
    .what = "write this column of a jforests file as what is to be learnt (default: target)",
    .read = into<&WritingOptions::label_column>,
    .kind = Kind::Column,
    .elsewhere = "--label --label-column --target-column --y"};
inline constexpr Option kQuery{
    .names = "--query",
    .value = "COLUMN",
    .what =
        "write rows with the same number in this column as a query of a jforests file "
        "(default: query)",
    .read = into<&WritingOptions::group_column>,
    .kind = Kind::Column,
    .elsewhere = "--qid --query-id --group-column"};
inline constexpr Option kSortKey{
    .names = "--key",
    .value = "A,B",
    .what = "sort the rows by these columns, in which they must be unique",
    .read = into<&WritingOptions::sort_key>,
    .kind = Kind::Columns,
    .elsewhere = "--sort --sort-by --order-by --sort-key --primary-key"};
inline constexpr Option kOrder{.names = "--order",
                               .value = "ORDER",
                               .what = "write Balsa in this byte order (default: little)",
                               .read = into<&WritingOptions::byte_order>,
                               .choices = "little big",
                               .elsewhere = "--endian --endianness --byte-order"};
inline constexpr Option kClassCount{
    .names = "--class-count",
    .value = "N",
    .what = "write a Balsa forest of N classes (default: as IN says, or the largest label + 1)",
    .read = into<&WritingOptions::class_count>,
    .least = 1,
    .elsewhere = "--classes --n-classes --num-class"};
inline constexpr Option kFeatureCount{
    .names = "--feature-count",
    .value = "N",
    .what = "write a Balsa forest of N features (default: as IN says, or the largest feature + 1)",
    .read = into<&WritingOptions::feature_count>,
    .least = 1,
    .elsewhere = "--features --n-features --num-features"};
inline constexpr Option kBlockRows{
    .names = "--block-rows",
    .value = "N",
    .what = "write IDV in blocks of N rows (default: as its own program)",
    .read = into<&WritingOptions::block_rows>,
    .elsewhere = "--row-group-size --block-size --rows-per-block"};
inline constexpr Option kCompression{
    .names = "--compression",
    .value = "N",
    .what = "compress the blocks of IDV: 0 not at all, 1 to 12 (default: as its own program)",
    .read = into<&WritingOptions::compression>,
    .elsewhere = "--compress --level --compression-level -z"};
inline constexpr Option kLayout{
    .names = "--layout",
    .value = "LAYOUT",
    .what = "write Jay in this layout; datatable before 1.1 reads only legacy (default: typed)",
    .read = into<&WritingOptions::layout>,
    .choices = "typed legacy"};

// Whether an option is given that belongs to one format of binary files.
bool has_format_options(const WritingOptions& asked);
// Returns the options for a file of that name, of the requested format or else of the one that its
// name implies. Throws Error(Argument) for an option that does not apply to the format.
WriteOptions write_options(const Session& session, const std::string& out);
// Reports rows, bytes and time, in a line.
void report_written(Session& session, const ConvertReport& report);

}  // namespace heron::cli
