// The options of Arrow files.
#pragma once

#include "format/format_options.h"
#include "heron/writer.h"

namespace heron::inline v0::arrow_ipc {

inline constexpr std::string_view kBatchRows = "batch_rows";
inline constexpr int64_t kDefaultBatchRows = 65536;

inline constexpr FormatOption kOptions[] = {
    {.name = kBatchRows,
     .what = "write Arrow in record batches of N rows (default: 65536)",
     .value = "N",
     .min = 1,
     .max = INT32_MAX,
     .elsewhere = "chunk-rows rows-per-batch record-batch-size"},
};

inline uint64_t batch_rows_of(const WriteOptions& options) {
  const auto rows = number_option(options.format_options, kBatchRows);
  return static_cast<uint64_t>(rows.value_or(kDefaultBatchRows));
}

}  // namespace heron::inline v0::arrow_ipc
