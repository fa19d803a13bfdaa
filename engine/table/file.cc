#include "base/fail.h"
#include "bytes/file_pages.h"
#include "format/entry_tables.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

FileContents with_file(FileContents parts) {
  if (parts.file == nullptr) parts.file = parts.bytes;
  return parts;
}

}  // namespace

File::File(FileContents parts)
    : parts_(std::make_unique<const FileContents>(with_file(std::move(parts)))) {
  for (const auto& table : parts_->tables) internals(*table).set_format(parts_->format);
}

File::~File() = default;

const std::string& File::path() const noexcept {
  return parts_->file->name();
}

uint64_t File::size_bytes() const noexcept {
  return parts_->file->size();
}

const std::string& File::format() const noexcept {
  return parts_->format;
}

const std::vector<std::string>& File::containers() const noexcept {
  return parts_->containers;
}

const std::vector<std::pair<std::string, std::string>>& File::header() const noexcept {
  return parts_->header;
}

std::vector<Counter> File::counters() const {
  std::vector<Counter> all = parts_->bytes->counters();
  if (parts_->counters) {
    for (Counter& one : parts_->counters()) all.push_back(std::move(one));
  }
  return all;
}

uint64_t File::bytes_prefetched() const noexcept {
  uint64_t bytes = 0;
  for (const auto& file : parts_->bytes->files()) bytes += file.pages->bytes_prefetched();
  return bytes;
}

const std::vector<std::shared_ptr<const Table>>& File::tables() const {
  return parts_->entries == nullptr ? parts_->tables : parts_->entries->tables();
}

std::span<const ArchiveEntry> File::entries() const {
  return parts_->entries == nullptr ? std::span<const ArchiveEntry>() : parts_->entries->entries();
}

const std::shared_ptr<const Table>& File::table(std::string_view name) const {
  if (parts_->entries != nullptr) return parts_->entries->table(name);
  std::string names;
  for (const auto& table : tables()) {
    if (name.empty() || table->name() == name) return table;
    names += concat(names.empty() ? "" : ", ", table->name());
  }
  if (name.empty()) fail(ErrorKind::Argument, path(), "the file has no tables");
  fail(ErrorKind::Argument, path(), "no table \"", name, "\"; there are: ", names);
}

}  // namespace heron::inline v0
