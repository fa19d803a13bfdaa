// The options of text files.
#pragma once

#include "format/format_options.h"
#include "heron/csv.h"

namespace heron::inline v0::csv {

namespace option {
inline constexpr std::string_view kSeparator = "csv_separator", kHeader = "csv_header",
                                  kNullWords = "csv_null_words", kEncoding = "csv_encoding",
                                  kTypes = "csv_types", kDecimal = "csv_decimal",
                                  kComment = "csv_comment", kTrim = "csv_trim",
                                  kSkipRows = "csv_skip_rows", kRagged = "csv_ragged";
}  // namespace option

// FormatOption::fault of a mark between or before fields, and of types.
std::string mark_fault(std::string_view text);
std::string types_fault(std::string_view list);

inline constexpr FormatOption kOptions[] = {
    {.name = option::kSeparator,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Text,
     .what = "split the lines of a CSV at this character, or tab (default: the one of , ; tab | "
             "that fits)",
     .value = "C",
     .fault = mark_fault,
     .flag = "separator",
     .elsewhere = "delimiter delim sep d field-separator tabs"},
    {.name = option::kHeader,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Switch,
     .what = "read the first line of a CSV as a row, not as names",
     .is_on = true,
     .flag = "no-header",
     .elsewhere = "no-headers headerless no-header-row"},
    {.name = option::kTypes,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Types,
     .what = "read these columns of a CSV with these types (default: inferred; whole numbers are "
             "int32, or int64 if one is larger)",
     .value = "A=TYPE,...",
     .fault = types_fault,
     .flag = "types",
     .elsewhere = "dtypes dtype schema column-types"},
    {.name = option::kNullWords,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Names,
     .what = "read these words of a CSV as null (default: NA,null,NULL)",
     .value = "A,B",
     .flag = "null-words",
     .elsewhere = "null nulls na na-values null-values nullstr missing"},
    {.name = option::kEncoding,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Word,
     .what = "decode a CSV from this encoding (default: utf-8, or utf-16 by its mark); bytes: "
             "without any check",
     .value = "NAME",
     .choices = "utf-8 latin1 windows-1252 utf-16 bytes",
     .flag = "encoding",
     .elsewhere = "charset"},
    {.name = option::kDecimal,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Word,
     .what = "read this as the decimal mark of a CSV (default: .)",
     .value = "C",
     .choices = ". ,",
     .flag = "decimal",
     .elsewhere = "decimal-separator decimal-mark dec"},
    {.name = option::kTrim,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Switch,
     .what = "ignore blanks around the fields of a CSV",
     .flag = "trim",
     .elsewhere = "strip trim-ws skip-initial-space skipinitialspace"},
    {.name = option::kComment,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Text,
     .what = "ignore the lines of a CSV that begin with this character",
     .value = "C",
     .fault = mark_fault,
     .flag = "comment",
     .elsewhere = "comment-prefix comment-char"},
    {.name = option::kSkipRows,
     .use = FormatOption::Use::Open,
     .what = "ignore the first N lines of each CSV",
     .value = "N",
     .flag = "skip-rows",
     .elsewhere = "skip skiprows skip-lines skip-header"},
    {.name = option::kRagged,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Word,
     .what = "take a CSV's line with too few fields for an error, or end it in nulls (default: "
             "error)",
     .value = "HOW",
     .choices = "error null",
     .flag = "ragged",
     .elsewhere = "allow-ragged fill null-padding truncate-ragged-lines"},
};

// The names of the types that kTypes takes.
std::vector<std::string> type_names();

// Returns options that have been checked against the table, by member.
CsvOptions csv_options(const FormatOptions& named);

}  // namespace heron::inline v0::csv
