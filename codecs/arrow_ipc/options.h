// The options of Arrow files.
#pragma once

#include "format/format_options.h"
#include "heron/writer.h"

namespace heron::inline v0::arrow_ipc {

// A file whose name has the ending of streams is written as one.
inline constexpr std::string_view kStreamEnding = ".arrows";
inline constexpr std::string_view kOtherEndings[] = {".feather", ".ipc", kStreamEnding};

inline constexpr std::string_view kBatchRows = "batch_rows", kBodyCompression = "body_compression";
inline constexpr int64_t kDefaultBatchRows = 65536;

inline constexpr FormatOption kOptions[] = {
    {.name = kBatchRows,
     .what = "write Arrow in record batches of N rows, cut at 2 GiB (default: 65536, cut at 64 MiB)",
     .value = "N",
     .min = 1,
     .max = INT32_MAX,
     .elsewhere = "chunk-rows rows-per-batch record-batch-size"},
    {.name = kBodyCompression,
     .kind = FormatOption::Kind::Word,
     .what = "compress the record batches of Arrow (default: none)",
     .value = "CODEC",
     .choices = "none lz4 zstd",
     .elsewhere = "codec ipc-compression"},
};

inline uint64_t batch_rows_of(const WriteOptions& options) {
  const auto rows = number_option(options.format_options, kBatchRows);
  return static_cast<uint64_t>(rows.value_or(kDefaultBatchRows));
}

}  // namespace heron::inline v0::arrow_ipc
