#include "heron/index.h"

#include <filesystem>

#include "base/fail.h"
#include "checks/index_columns.h"
#include "files/formats.h"
#include "files/open.h"
#include "files/open_folder.h"
#include "skip/sidecar.h"

namespace heron::inline v0 {
namespace {

// The contents of an index except checksums, computed without an existing sidecar.
IndexContents contents_of(const std::shared_ptr<const ByteSource>& file, const OpenOptions& options,
                          const Context& context) {
  OpenOptions anew = options;
  anew.use_index = false;
  const auto opened = open_source(file, anew, context);
  return {index_columns(*opened, context), format_indexes(file, *opened, anew, context), {}};
}

IndexReport write_one(const std::string& path, const OpenOptions& options, const Context& context) {
  if (!options.entry.empty()) {
    fail(ErrorKind::Argument, path, "an index is of all entries, not of one");
  }
  const auto file = open_file(path, options.mmap);
  Sidecar::is_at(Sidecar::path_of(file->name()));  // throws early if the path is taken
  const IndexContents contents = unless_changed(*file, [&] {
    IndexContents all = contents_of(file, options, context);
    all.checksums = block_checksums(*file, context);
    return all;
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

bool remove_one(const std::string& path) {
  Sidecar::is_at(index_path(path));
  std::error_code failed;
  const bool removed = std::filesystem::remove(index_path(path), failed);
  if (failed) fail(ErrorKind::Write, index_path(path), "cannot be removed: ", failed.message());
  return removed;
}

bool compare_one(const std::string& path, const OpenOptions& options, const Context& context) {
  const auto file = open_file(path, options.mmap);
  const auto sidecar = Sidecar::open(*file, context);
  if (sidecar == nullptr) return false;
  sidecar->compare_checksums(*file, context);
  const IndexContents found =
      unless_changed(*file, [&] { return contents_of(file, options, context); });
  compare_columns(sidecar->name(), sidecar->columns(context), found.columns);
  uint64_t known = 0;
  for (const FormatIndex& format : found.formats) {
    const auto stored = sidecar->format(format.name, context);
    known += stored ? 1 : 0;
    if (!stored || *stored == format.bytes) continue;
    fail(ErrorKind::Corrupt, sidecar->name(), "section of ", format.name,
         ": expected the bytes that the file gives, got others");
  }
  if (sidecar->format_count() != known) {
    fail(ErrorKind::Corrupt, sidecar->name(), "sections of formats: expected ", known,
         ", as stored for such a file, got ", sidecar->format_count(),
         "; `heron index` makes it anew");
  }
  if (!sidecar->distrust().empty() && context.note) {
    context.note(concat(sidecar->name(), ": ", sidecar->distrust(), "; it is not used"));
  }
  return true;
}

}  // namespace

IndexReport write_index(const std::string& path, const OpenOptions& options,
                        const Context& context) {
  if (!is_folder(path)) return write_one(path, options, context);
  IndexReport all;
  all.path = path;
  for (const std::string& file : files_in_folder(path, context)) {
    const IndexReport one = write_one(file, options, context);
    all.bytes += one.bytes;
    all.columns += one.columns;
    all.zones += one.zones;
    all.formats += one.formats;
    all.checksums += one.checksums;
  }
  return all;
}

bool remove_index(const std::string& path) {
  if (!is_folder(path)) return remove_one(path);
  bool removed = false;
  for (const std::string& file : files_in_folder(path, {})) removed |= remove_one(file);
  return removed;
}

std::string index_path(const std::string& path) {
  return Sidecar::path_of(path);
}

bool compare_index(const std::string& path, const OpenOptions& options, const Context& context) {
  if (!is_folder(path)) return compare_one(path, options, context);
  bool has_index = false;
  for (const std::string& file : files_in_folder(path, context)) {
    has_index |= compare_one(file, options, context);
  }
  return has_index;
}

}  // namespace heron::inline v0
