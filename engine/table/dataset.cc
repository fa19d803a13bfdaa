#include "format/entry_tables.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

DatasetContents with_file(DatasetContents parts) {
  if (parts.file == nullptr) parts.file = parts.bytes;
  return parts;
}

}  // namespace

Dataset::Dataset(DatasetContents parts)
    : parts_(std::make_unique<const DatasetContents>(with_file(std::move(parts)))) {}

Dataset::~Dataset() = default;

const std::string& Dataset::path() const noexcept {
  return parts_->file->name();
}

uint64_t Dataset::size_bytes() const noexcept {
  return parts_->file->size();
}

const std::string& Dataset::format() const noexcept {
  return parts_->format;
}

const std::vector<std::string>& Dataset::containers() const noexcept {
  return parts_->containers;
}

const std::vector<std::pair<std::string, std::string>>& Dataset::header() const noexcept {
  return parts_->header;
}

std::vector<Counter> Dataset::counters() const {
  std::vector<Counter> all = parts_->bytes->counters();
  if (parts_->counters) {
    for (Counter& one : parts_->counters()) all.push_back(std::move(one));
  }
  return all;
}

const std::vector<std::shared_ptr<const Table>>& Dataset::tables() const {
  return parts_->entries == nullptr ? parts_->tables : parts_->entries->tables();
}

std::span<const ArchiveEntry> Dataset::entries() const {
  return parts_->entries == nullptr ? std::span<const ArchiveEntry>() : parts_->entries->entries();
}

const std::string& Dataset::format(const Table& table) const {
  return parts_->entries == nullptr ? parts_->format : parts_->entries->format(table);
}

const std::shared_ptr<const Table>& Dataset::table(std::string_view name) const {
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
