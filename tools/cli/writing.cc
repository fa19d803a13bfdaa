#include "writing.h"

#include <fmt/core.h>

#include <algorithm>
#include <climits>

#include "arguments.h"
#include "heron/error.h"
#include "heron/formats.h"

namespace heron::cli {

namespace {

// If the format is unknown, the writer reports it.
void check_choices(const Request& request, const std::string& format) {
  if (format.empty()) return;
  const WriteChoices known = write_choices(format);
  const auto check = [&](bool given, bool has_use, const Option& option) {
    if (!given || has_use) return;
    fail(ErrorKind::Argument, {}, option.names, " means nothing in the format ", format);
  };
  check(!request.byte_order.empty(), known.order, kOrder);
  check(request.block_rows.has_value(), known.block_rows, kBlockRows);
  check(request.compression.has_value(), known.compression, kCompression);
  check(!request.label_column.empty(), known.roles, kTarget);
  check(!request.group_column.empty(), known.roles, kQuery);
  check(!request.sort_key.empty(), known.key_columns, kSortKey);
}

}  // namespace

WriteOptions write_options(const Request& request, const std::string& out) {
  WriteOptions options;
  options.format = request.to_format;
  options.replace = request.force;
  check_choices(request, options.format.empty() ? format_by_name(out).format : options.format);
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
  if (session.request().quiet) return;
  const std::string in_files =
      report.files.size() == 1 ? "" : fmt::format(" in {} files", report.files.size());
  // A rate over a shorter time measures the clock more than the work.
  constexpr double kLeastSeconds = 0.01;
  const std::string rate =
      report.seconds < kLeastSeconds
          ? fmt::format("{:.1f} ms", report.seconds * 1e3)
          : fmt::format("{:.2f} s without the sync, {:.0f} MB/s", report.seconds,
                        static_cast<double>(report.bytes) / 1e6 / report.seconds);
  session.note(fmt::format("{} rows, {} bytes{}, {}", report.rows, report.bytes, in_files, rate));
}

}  // namespace heron::cli
