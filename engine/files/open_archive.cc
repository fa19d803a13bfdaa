#include "files/open_archive.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "base/fail.h"
#include "base/once.h"
#include "format/entry_tables.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kPathsNamed = 10;

using TablePtr = std::shared_ptr<const Table>;

// Returns whether Heron does not read the entry's format, such as a .csv in UTF-32.
bool is_unread(const Error& error) noexcept {
  return error.kind() == ErrorKind::Unsupported || error.kind() == ErrorKind::UnknownFormat;
}

// Returns whether an error concerns one entry only, so that other entries are still listed.
bool is_of_entry(const Error& error) noexcept {
  return is_unread(error) || error.kind() == ErrorKind::Corrupt ||
         error.kind() == ErrorKind::Limit;
}

class ArchiveTables final : public EntryTables {
 public:
  ArchiveTables(std::shared_ptr<const Archive> archive, std::shared_ptr<const ByteSource> bytes,
                uint64_t containers, const OpenOptions& options, const Context& context)
      : archive_(std::move(archive)),
        bytes_(std::move(bytes)),
        containers_(containers),
        options_(options) {
    context_.memory = context.memory;
    context_.threads = context.threads;
  }

  std::span<const ArchiveEntry> entries() const override {
    open_all();
    return entries_;
  }
  const std::vector<TablePtr>& tables() const override {
    open_all();
    return tables_;
  }

  const TablePtr& table(std::string_view name) const override {
    if (name.empty()) return first_table();
    for (size_t colon = name.size(); colon != name.npos; colon = before(name, colon)) {
      const auto index = archive_->find(name.substr(0, colon));
      if (!index) continue;
      for (const TablePtr& table : opened(*index).tables) {
        if (colon == name.size() || table->name() == name) return table;
      }
    }
    fail(ErrorKind::Argument, bytes_->name(), "no table \"", name,
         "\" (PATH:TABLE); its entries are: ", some_paths(*archive_));
  }

  std::vector<std::string> verify(const Context& context) const override {
    std::vector<std::string> notes;
    std::optional<Error> unread;
    for (uint64_t i = 0; i < archive_->size(); ++i) {
      context.step(i, archive_->size());
      try {
        archive_->verify(i, context);
        opened(i);
      } catch (const Error& error) {
        if (!is_unread(error)) throw;
        notes.emplace_back(error.what());
        if (!unread) unread = error;
      }
    }
    if (unread && notes.size() == archive_->size()) throw Error(*unread);
    return notes;
  }

  void set_indexed_file(std::shared_ptr<const ByteSource> file) const override {
    indexed_file_ = std::move(file);
  }

 private:
  struct Opened {
    std::string format;
    std::shared_ptr<const File> file;
    std::vector<TablePtr> tables;  // named PATH:TABLE
  };

  static size_t before(std::string_view name, size_t colon) {
    return colon == 0 ? name.npos : name.rfind(':', colon - 1);
  }

  // Opens an entry once; after an error, the next call opens it again.
  const Opened& opened(uint64_t index) const {
    const std::scoped_lock lock(mutex_);
    if (const auto found = opened_.find(index); found != opened_.end()) return found->second;
    auto [format, file] =
        open_entry(archive_->open(index, context_), containers_, options_, context_);
    Opened entry{std::move(format), std::move(file), {}};
    if (entry.file != nullptr) {
      const std::string path = archive_->entry(index).path;
      for (const TablePtr& table : entry.file->tables()) {
        internals(*table).set_name(concat(path, ':', table->name()));
        if (indexed_file_ != nullptr) internals(*table).set_indexed_file(indexed_file_);
      }
      entry.tables = entry.file->tables();
    }
    return opened_.emplace(index, std::move(entry)).first->second;
  }

  // Returns the first table of any entry. If there is none, throws the first error of an unread
  // entry, if any, because it may be the reason.
  const TablePtr& first_table() const {
    std::optional<Error> unread;
    for (uint64_t i = 0; i < archive_->size(); ++i) {
      try {
        const Opened& entry = opened(i);
        if (!entry.tables.empty()) return entry.tables.front();
      } catch (const Error& error) {
        if (!is_unread(error)) throw;
        if (!unread) unread = error;
      }
    }
    if (unread) throw Error(*unread);
    fail(ErrorKind::Argument, bytes_->name(), "none of its ", archive_->size(),
         " entries has a table of a format that Heron reads");
  }

  void open_all() const {
    all_.run([&] {
      std::vector<ArchiveEntry> entries;
      std::vector<TablePtr> tables;
      for (uint64_t i = 0; i < archive_->size(); ++i) {
        ArchiveEntry entry = archive_->entry(i);
        try {
          const Opened& one = opened(i);
          entry.format = one.format;
          tables.insert(tables.end(), one.tables.begin(), one.tables.end());
        } catch (const Error& error) {
          if (!is_of_entry(error)) throw;
          entry.reason = error.what();
        }
        entries.push_back(std::move(entry));
      }
      entries_ = std::move(entries);
      tables_ = std::move(tables);
    });
  }

  const std::shared_ptr<const Archive> archive_;
  const std::shared_ptr<const ByteSource> bytes_;
  const uint64_t containers_;
  const OpenOptions options_;
  Context context_;  // for opening entries, perhaps long after construction
  mutable std::shared_ptr<const ByteSource> indexed_file_;

  mutable std::mutex mutex_;  // guards opened_
  mutable std::map<uint64_t, Opened> opened_;

  mutable Once all_;
  mutable std::vector<ArchiveEntry> entries_;
  mutable std::vector<TablePtr> tables_;
};

}  // namespace

std::string some_paths(const Archive& archive) {
  std::string paths;
  for (uint64_t i = 0; i < std::min(archive.size(), kPathsNamed); ++i) {
    paths += concat(i == 0 ? "" : ", ", archive.entry(i).path);
  }
  if (archive.size() == 0) return "none";
  if (archive.size() > kPathsNamed) paths += concat(" and ", archive.size() - kPathsNamed, " more");
  return paths;
}

std::shared_ptr<const File> open_archive(std::shared_ptr<const Archive> archive,
                                         const Format& format,
                                            std::shared_ptr<const ByteSource> bytes,
                                            uint64_t containers, const OpenOptions& options,
                                            const Context& context) {
  OpenOptions of_entry = options;
  of_entry.entry.clear();
  of_entry.use_index = false;
  if (options.format == format.name) of_entry.format.clear();
  FileContents parts{.bytes = bytes, .format = std::string(format.name)};
  parts.entries = std::make_shared<const ArchiveTables>(std::move(archive), std::move(bytes),
                                                        containers, of_entry, context);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0
