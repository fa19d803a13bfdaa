#include "files/open_folder.h"

#include <sys/stat.h>

#include "base/fail.h"
#include "files/formats.h"
#include "table/internals.h"
#include "table/joined_source.h"

namespace heron::inline v0 {
namespace {

[[noreturn]] void throw_unknown_folder(const std::string& path) {
  std::string known;
  for (const Format& format : formats()) {
    if (format.folder.tables == nullptr) continue;
    known += concat(known.empty() ? "" : ", ", format.folder.what);
  }
  fail(ErrorKind::Io, path, "is a folder; expected a file, or ", known);
}

std::vector<Counter> counters_of(const std::vector<std::shared_ptr<const File>>& files) {
  std::vector<Counter> all;
  for (const auto& file : files) {
    if (internals(*file).counters == nullptr) continue;
    for (const Counter& counter : internals(*file).counters()) {
      const auto same = std::ranges::find(all, counter.name, &Counter::name);
      if (same == all.end()) {
        all.push_back(counter);
      } else {
        same->value += counter.value;
      }
    }
  }
  return all;
}

// Returns the files, one for each table of a folder, as one file.
std::shared_ptr<const File> beside_each_other(const std::string& path, const KnownFolder& folder,
                                              std::vector<std::shared_ptr<const File>> files) {
  std::vector<std::shared_ptr<const ByteSource>> payloads, outermost;
  FileContents parts;
  for (uint64_t i = 0; i < files.size(); ++i) {
    const auto& table = files[i]->table();
    internals(*table).set_name(folder.tables[i].name);
    parts.tables.push_back(table);
    payloads.push_back(internals(*files[i]).bytes);
    outermost.push_back(internals(*files[i]).file);
  }
  parts.bytes = std::make_shared<const JoinedSource>(path, std::move(payloads));
  parts.file = std::make_shared<const JoinedSource>(path, std::move(outermost));
  parts.format = files.front()->format();
  parts.header = {{"layout", "folder"}};
  parts.counters = [files = std::move(files)] { return counters_of(files); };
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace

bool is_folder(const std::string& path) noexcept {
  struct stat status;  // std::filesystem would allocate a path
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

KnownFolder known_folder(const std::string& path, const Context& context) {
  const std::vector<std::string> names = names_in_folder(path);
  for (const Format& format : formats()) {
    if (format.folder.tables == nullptr) continue;
    std::vector<FolderTable> tables = format.folder.tables(path, names, context);
    if (!tables.empty()) return {&format, std::move(tables)};
  }
  return {};
}

std::vector<std::string> with_files_of_folders(std::span<const std::string> paths,
                                               const Context& context) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    const KnownFolder folder = is_folder(path) ? known_folder(path, context) : KnownFolder();
    const bool is_one = folder.tables.size() == 1;
    const auto& of_path = is_one ? folder.tables[0].paths : std::vector{path};
    files.insert(files.end(), of_path.begin(), of_path.end());
  }
  return files;
}

std::vector<std::string> files_in_folder(const std::string& path, const Context& context) {
  const KnownFolder folder = known_folder(path, context);
  if (folder.format == nullptr) throw_unknown_folder(path);
  std::vector<std::string> files;
  for (const FolderTable& table : folder.tables) {
    files.insert(files.end(), table.paths.begin(), table.paths.end());
  }
  return files;
}

std::shared_ptr<const File> open_folder(const std::string& path, const OpenOptions& options,
                                        const Context& context) {
  const KnownFolder folder = known_folder(path, context);
  if (folder.format == nullptr) throw_unknown_folder(path);
  if (folder.tables.size() == 1) return open(folder.tables[0].paths, options, context);
  OpenOptions each = options;
  each.cache_bytes /= folder.tables.size();
  std::vector<std::shared_ptr<const File>> files;
  for (const FolderTable& table : folder.tables) {
    files.push_back(open(table.paths, each, context));
  }
  return beside_each_other(path, folder, std::move(files));
}

}  // namespace heron::inline v0
