#include "writing.h"

#include <fmt/core.h>

#include <algorithm>
#include <climits>

#include "arguments.h"
#include "heron/error.h"
#include "heron/formats.h"

namespace heron::cli {

namespace {

// Checks that options apply to the format. The format itself may be unknown: the writer reports
// that.
void check_choices(const WritingOptions& asked, const std::string& format) {
  if (format.empty()) return;
  const bool has_key = stores_keys(format);  // reports an unknown name before anything else
  const auto check = [&](bool given, bool has_use, const Option& option) {
    if (!given || has_use) return;
    fail(ErrorKind::Argument, {}, option.names, " does not apply to format ", format);
  };
  check(!asked.byte_order.empty(), format == "balsa", kOrder);
  check(asked.class_count.has_value(), stores_forests(format), kClassCount);
  check(asked.feature_count.has_value(), stores_forests(format), kFeatureCount);
  check(asked.block_rows.has_value(), format == "idv", kBlockRows);
  check(asked.compression.has_value(), format == "idv", kCompression);
  check(!asked.layout.empty(), format == "jay", kLayout);
  check(!asked.label_column.empty(), format == "jforests", kTarget);
  check(!asked.group_column.empty(), format == "jforests", kQuery);
  check(!asked.sort_key.empty(), has_key, kSortKey);
}

}  // namespace

bool has_format_options(const WritingOptions& asked) {
  return !asked.byte_order.empty() || asked.class_count || asked.feature_count ||
         asked.block_rows || asked.compression || !asked.layout.empty() ||
         !asked.label_column.empty() || !asked.group_column.empty();
}

WriteOptions write_options(const Session& session, const std::string& out) {
  const auto& asked = session.get<WritingOptions>();
  WriteOptions options;
  options.format = asked.to_format;
  options.replace = session.get<OutputOptions>().force;
  check_choices(asked, options.format.empty() ? format_by_name(out).format : options.format);
  if (asked.byte_order == "big") options.balsa.order = std::endian::big;
  options.balsa.class_count = asked.class_count.value_or(0);
  options.balsa.feature_count = asked.feature_count.value_or(0);
  options.jforests.label_column = parse_name(asked.label_column);
  options.jforests.group_column = parse_name(asked.group_column);
  options.idv.block_rows = asked.block_rows.value_or(0);
  if (asked.compression) {
    options.idv.compression = static_cast<int>(std::min<uint64_t>(*asked.compression, INT_MAX));
  }
  if (asked.layout == "legacy") options.jay.layout = JayLayout::Legacy;
  return options;
}

void report_written(Session& session, const ConvertReport& report) {
  if (session.get<CommonOptions>().quiet) return;
  const std::string in_files =
      report.files.size() == 1 ? "" : fmt::format(" in {} files", report.files.size());
  // Over a shorter time a rate measures the clock more than the work.
  constexpr double kMinSeconds = 0.01;
  const std::string rate =
      report.seconds < kMinSeconds
          ? fmt::format("{:.1f} ms", report.seconds * 1e3)
          : fmt::format("{:.2f} s without the sync, {:.0f} MB/s", report.seconds,
                        static_cast<double>(report.bytes) / 1e6 / report.seconds);
  session.note(fmt::format("{} rows, {} bytes{}, {}", report.rows, report.bytes, in_files, rate));
}

}  // namespace heron::cli
