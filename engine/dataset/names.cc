#include "dataset/names.h"

#include <algorithm>

#include "base/nearest.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMostCompared = 10'000;

// All copies of a name count: one that many columns share takes memory in each.
constexpr uint64_t kMostSharedBytes = uint64_t{1} << 20;

class NameBytes {
 public:
  explicit NameBytes(const ByteSource* file)
      : file_(file),
        left_(file == nullptr ? UINT64_MAX
                              : kMostSharedBytes + std::min(file->size(), UINT64_MAX / 2)) {}

  void add(uint64_t column, uint64_t bytes) {
    if (bytes > left_) {
      fail(ErrorKind::Limit, file_->name(), "names of columns are too long: expected at most ",
           kMostSharedBytes, " bytes more than the file's ", file_->size(),
           ", got more with column ", column, "; columns share names");
    }
    left_ -= bytes;
  }

 private:
  const ByteSource* file_;
  uint64_t left_;
};

std::string without_control_characters(std::string_view stored) {
  std::string name;
  bool in_run = false;
  for (const char c : stored) {
    const bool control = static_cast<unsigned char>(c) < 0x20;
    if (!control)
      name += c;
    else if (!in_run)
      name += '.';
    in_run = control;
  }
  return name;
}

}  // namespace

Names::Names(const TableSource& source, const ByteSource* file) {
  NameBytes bytes(file);
  names_.reserve(source.column_count());
  columns_.reserve(source.column_count());
  std::unordered_map<std::string, uint64_t> next_suffix;
  for (uint64_t column = 0; column < source.column_count(); ++column) {
    std::string name = source.stored_name(column);
    bytes.add(column, name.size());
    name = without_control_characters(name);
    if (name.empty()) name = source.default_name(column);
    if (columns_.contains(name)) {
      uint64_t& suffix = next_suffix[name];
      std::string free;
      do {
        free = concat(name, '.', ++suffix);
      } while (columns_.contains(free));
      name = std::move(free);
    }
    names_.push_back(std::move(name));
    columns_.emplace(names_.back(), column);
  }
}

uint64_t Names::find(std::string_view name) const {
  const auto found = columns_.find(name);
  return found == columns_.end() ? names_.size() : found->second;
}

std::string no_column_text(const Table& table, std::string_view name) {
  const std::string text = concat("no column \"", name, "\" in table \"", table.name(), '"');
  Nearest nearest(name);
  for (uint64_t i = 0; i < std::min(table.column_count(), kMostCompared); ++i) {
    nearest.consider(table.column_name(i));
  }
  return text + nearest.question();
}

std::string similar_column(const Schema& schema, std::string_view name) {
  Nearest nearest(name);
  for (uint64_t i = 0; i < std::min<uint64_t>(schema.size(), kMostCompared); ++i) {
    nearest.consider(schema[i].name);
  }
  return nearest.question();
}

}  // namespace heron::inline v0
