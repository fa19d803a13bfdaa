#include "writing.h"

#include <fmt/core.h>

#include <algorithm>
#include <climits>

namespace heron::cli {

WriteOptions write_options(const Request& request) {
  WriteOptions options;
  if (request.byte_order == "big") options.order = std::endian::big;
  options.block_rows = request.block_rows.value_or(0);
  if (request.compression) {
    options.compression = static_cast<int>(std::min<uint64_t>(*request.compression, INT_MAX));
  }
  return options;
}

void tell_written(Session& session, const ConvertReport& report) {
  const std::string in_files =
      report.files.size() == 1 ? "" : fmt::format(" in {} files", report.files.size());
  session.note(fmt::format("{} rows, {} bytes{}, {:.2f} s without the sync, {:.0f} MB/s",
                           report.rows, report.bytes, in_files, report.seconds,
                           static_cast<double>(report.bytes) / 1e6 / report.seconds));
}

}  // namespace heron::cli
