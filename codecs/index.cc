#include "heron/index.h"

#include <filesystem>

#include "query/index.h"
#include "registry.h"

namespace heron::inline v0 {

IndexReport write_index(const std::string& path, const OpenOptions& options,
                        const Context& context) {
  OpenOptions anew = options;
  anew.use_sidecar = false;
  const auto file = open_file(path, options.map);
  const IndexContents contents = unless_changed(*file, [&] {
    return IndexContents{index_columns(*open_dataset(file, anew, context), context),
                         format_indexes(file, anew, context), block_checksums(*file, context)};
  });
  IndexReport report;
  report.path = index_path(path);
  report.bytes = Sidecar::write(*file, contents, context);
  report.columns = contents.columns.size();
  for (const ColumnIndex& column : contents.columns) report.zones += column.zones.size();
  report.formats = contents.formats.size();
  report.checksums = contents.checksums.size();
  return report;
}

bool remove_index(const std::string& path) {
  std::error_code failed;
  const bool removed = std::filesystem::remove(index_path(path), failed);
  if (failed) fail(ErrorKind::Write, index_path(path), "cannot be removed: ", failed.message());
  return removed;
}

std::string index_path(const std::string& path) {
  return Sidecar::path_of(path);
}

bool compare_checksums(const std::string& path, const OpenOptions& options,
                       const Context& context) {
  const auto file = open_file(path, options.map);
  const auto sidecar = Sidecar::open(*file, context);
  if (sidecar != nullptr) sidecar->compare_checksums(*file, context);
  return sidecar != nullptr;
}

}  // namespace heron::inline v0
