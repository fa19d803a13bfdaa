#include "writing.h"

#include <fmt/core.h>

#include <algorithm>
#include <climits>

#include "arguments.h"

namespace heron::cli {

WriteOptions write_options(const Request& request) {
  WriteOptions options;
  if (request.byte_order == "big") options.order = std::endian::big;
  options.label_column = parse_name(request.label_column);
  options.group_column = parse_name(request.group_column);
  options.block_rows = request.block_rows.value_or(0);
  if (request.compression) {
    options.compression = static_cast<int>(std::min<uint64_t>(*request.compression, INT_MAX));
  }
  return options;
}

void tell_written(Session& session, const ConvertReport& report) {
  const std::string in_files =
      report.files.size() == 1 ? "" : fmt::format(" in {} files", report.files.size());
  // A rate of less than that tells more of the clock than of the work.
  constexpr double kLeastSeconds = 0.01;
  const std::string rate =
      report.seconds < kLeastSeconds
          ? fmt::format("{:.1f} ms", report.seconds * 1e3)
          : fmt::format("{:.2f} s without the sync, {:.0f} MB/s", report.seconds,
                        static_cast<double>(report.bytes) / 1e6 / report.seconds);
  session.note(fmt::format("{} rows, {} bytes{}, {}", report.rows, report.bytes, in_files, rate));
}

}  // namespace heron::cli
