// The options of jforests files.
#pragma once

#include "format/format_options.h"
#include "heron/file.h"

namespace heron::inline v0::jforests {

// The view of numbers that a file stores as codes into a table of scaled integers.
enum class CodedValues : uint8_t { Original /* scaled back, float64 */, Scaled, Index };

// Whether the rows of a file are in groups, which the file does not store.
enum class GroupMode : uint8_t { Infer, Ranking /* in groups */, Plain /* not in groups */ };

inline constexpr std::string_view kValues = "values", kMode = "mode",
                                  kLabelColumn = "label_column", kGroupColumn = "group_column";

inline constexpr FormatOption kOptions[] = {
    {.name = kValues,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Word,
     .what = "read features of jforests as the original numbers, scaled integers or indexes of "
             "stored values (default: original)",
     .value = "FORM",
     .choices = "original scaled index"},
    {.name = kMode,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Word,
     .what = "read a jforests file as a ranking or as plain rows (default: detected)",
     .value = "MODE",
     .choices = "ranking plain"},
    {.name = kLabelColumn,
     .kind = FormatOption::Kind::Column,
     .what = "write this column of a jforests file as what is to be learnt (default: target)",
     .value = "COLUMN",
     .flag = "target",
     .elsewhere = "label label-column target-column y"},
    {.name = kGroupColumn,
     .kind = FormatOption::Kind::Column,
     .what = "write rows with the same number in this column as a query of a jforests file "
             "(default: query)",
     .value = "COLUMN",
     .flag = "query",
     .elsewhere = "qid query-id group-column"},
};

inline CodedValues coded_values(const OpenOptions& options) {
  const std::string_view values = text_option(options.format_options, kValues);
  if (values == "scaled") return CodedValues::Scaled;
  return values == "index" ? CodedValues::Index : CodedValues::Original;
}

inline GroupMode group_mode(const OpenOptions& options) {
  const std::string_view mode = text_option(options.format_options, kMode);
  if (mode == "ranking") return GroupMode::Ranking;
  return mode == "plain" ? GroupMode::Plain : GroupMode::Infer;
}

}  // namespace heron::inline v0::jforests
