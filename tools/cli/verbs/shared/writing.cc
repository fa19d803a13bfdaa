#include "verbs/shared/writing.h"

#include <fmt/core.h>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/formats.h"
#include "parsing/arguments.h"
#include "parsing/format_flags.h"

namespace heron::cli {

ConvertOptions convert_options(const Session& session, const std::string& out) {
  const auto& requested = session.get<WritingOptions>();
  ConvertOptions options;
  options.write.format = requested.to_format;
  options.write.replace = options.wrap.replace = session.get<OutputOptions>().force;
  const std::string format =
      requested.to_format.empty() ? format_by_name(out).format : requested.to_format;
  const bool has_key = !format.empty() && stores_keys(format);  // reports an unknown name first
  set_format_options(session, format, out, options);
  if (!format.empty() && !requested.sort_key.empty() && !has_key) {
    fail(ErrorKind::Argument, {}, kSortKey.names, " does not apply to format ", format);
  }
  options.cast = requested.cast;
  options.drop_unsupported = requested.drop_unsupported;
  if (!requested.sort_key.empty()) options.key = parse_names(requested.sort_key);
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
