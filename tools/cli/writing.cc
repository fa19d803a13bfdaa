#include "writing.h"

#include <fmt/core.h>

#include <algorithm>
#include <climits>

#include "arguments.h"
#include "heron/error.h"
#include "heron/formats.h"

namespace heron::cli {

namespace {

// The format itself may be unknown: what writes it reports that.
void check_choices(const WritingOptions& asked, const std::string& format) {
  if (format.empty()) return;
  const WriteChoices known = write_choices(format);
  const auto check = [&](bool given, bool has_use, const Option& option) {
    if (!given || has_use) return;
    fail(ErrorKind::Argument, {}, option.names, " means nothing in the format ", format);
  };
  check(!asked.byte_order.empty(), known.order, kOrder);
  check(asked.block_rows.has_value(), known.block_rows, kBlockRows);
  check(asked.compression.has_value(), known.compression, kCompression);
  check(!asked.label_column.empty(), known.roles, kTarget);
  check(!asked.group_column.empty(), known.roles, kQuery);
  check(!asked.sort_key.empty(), known.key_columns, kSortKey);
}

}  // namespace

WriteOptions write_options(const Session& session, const std::string& out) {
  const auto& asked = session.get<WritingOptions>();
  WriteOptions options;
  options.format = asked.to_format;
  options.replace = session.get<OutputOptions>().force;
  check_choices(asked, options.format.empty() ? format_by_name(out).format : options.format);
  if (asked.byte_order == "big") options.order = std::endian::big;
  options.label_column = parse_name(asked.label_column);
  options.group_column = parse_name(asked.group_column);
  options.block_rows = asked.block_rows.value_or(0);
  if (asked.compression) {
    options.compression = static_cast<int>(std::min<uint64_t>(*asked.compression, INT_MAX));
  }
  return options;
}

void report_written(Session& session, const ConvertReport& report) {
  if (session.get<CommonOptions>().quiet) return;
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
