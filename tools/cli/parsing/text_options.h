// How text files are read: the options "of CSV".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heron/csv.h"
#include "parsing/command.h"

namespace heron::cli {

struct TextOptions {
  std::string types;
  std::string null_words = "NA,null,NULL";
  std::string separator;
  std::string encoding;
  std::string decimal;
  std::string comment;
  std::string ragged;
  std::optional<uint64_t> skip_rows;
  bool trim = false;
  bool no_header = false;
};


inline constexpr Option kTypes{
    .names = "--types",
    .value = "A=TYPE,...",
    .what = "read these columns of a CSV with these types (default: inferred; whole numbers are "
            "int32, or int64 if one is larger)",
    .read = into<&TextOptions::types>,
    .kind = Kind::Types,
    .section = Section::Text,
    .elsewhere = "--dtypes --dtype --schema --column-types"};
inline constexpr Option kNullWords{
    .names = "--null-words",
    .value = "A,B",
    .what = "read these words of a CSV as null (default: NA,null,NULL)",
    .read = into<&TextOptions::null_words>,
    .may_be_empty = true,
    .section = Section::Text,
    .elsewhere = "--null --nulls --na --na-values --null-values --nullstr --missing"};
inline constexpr Option kSeparator{
    .names = "--separator",
    .value = "C",
    .what = "split the lines of a CSV at this character, or tab (default: the one of , ; tab | "
            "that fits)",
    .read = into<&TextOptions::separator>,
    .section = Section::Text,
    .elsewhere = "--delimiter --delim --sep -d --field-separator --tabs"};
inline constexpr Option kEncoding{
    .names = "--encoding",
    .value = "NAME",
    .what = "decode a CSV from this encoding (default: utf-8, or utf-16 by its mark); bytes: "
            "without any check",
    .read = into<&TextOptions::encoding>,
    .choices = "utf-8 latin1 windows-1252 utf-16 bytes",
    .section = Section::Text,
    .elsewhere = "--charset"};
inline constexpr Option kNoHeader{.names = "--no-header",
                                  .value = "",
                                  .what = "read the first line of a CSV as a row, not as names",
                                  .read = into<&TextOptions::no_header>,
                                  .section = Section::Text,
                                  .elsewhere = "--no-headers --headerless --no-header-row"};
inline constexpr Option kTrim{
    .names = "--trim",
    .value = "",
    .what = "ignore blanks around the fields of a CSV",
    .read = into<&TextOptions::trim>,
    .section = Section::Text,
    .elsewhere = "--strip --trim-ws --skip-initial-space --skipinitialspace"};
inline constexpr Option kDecimal{.names = "--decimal",
                                 .value = "C",
                                 .what = "read this as the decimal mark of a CSV (default: .)",
                                 .read = into<&TextOptions::decimal>,
                                 .choices = ". ,",
                                 .section = Section::Text,
                                 .elsewhere = "--decimal-separator --decimal-mark --dec"};
inline constexpr Option kComment{.names = "--comment",
                                 .value = "C",
                                 .what = "ignore the lines of a CSV that begin with this character",
                                 .read = into<&TextOptions::comment>,
                                 .section = Section::Text,
                                 .elsewhere = "--comment-prefix --comment-char"};
inline constexpr Option kSkipRows{.names = "--skip-rows",
                                  .value = "N",
                                  .what = "ignore the first N lines of each CSV",
                                  .read = into<&TextOptions::skip_rows>,
                                  .section = Section::Text,
                                  .elsewhere = "--skip --skiprows --skip-lines --skip-header"};
inline constexpr Option kRagged{
    .names = "--ragged",
    .value = "HOW",
    .what = "take a CSV's line with too few fields for an error, or end it in nulls (default: "
            "error)",
    .read = into<&TextOptions::ragged>,
    .choices = "error null",
    .section = Section::Text,
    .elsewhere = "--allow-ragged --fill --null-padding --truncate-ragged-lines"};

// Converts the options. Throws Error(Argument).
CsvOptions text_options(const TextOptions& requested);
// Returns the types that --types takes.
std::vector<std::string> type_names();
// Whether any of the options was given.
bool is_given(const TextOptions& requested);

}  // namespace heron::cli
