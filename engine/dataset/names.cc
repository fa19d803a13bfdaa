#include "dataset/names.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_map>

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

uint64_t hash_of(std::string_view name) {
  return std::hash<std::string_view>()(name);
}

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
  slots_.resize(std::bit_ceil(2 * source.column_count() + 1));
  std::unordered_map<std::string, uint64_t> next_suffix;
  for (uint64_t column = 0; column < source.column_count(); ++column) {
    std::string name = source.stored_name(column);
    bytes.add(column, name.size());
    name = without_control_characters(name);
    if (name.empty()) name = source.default_name(column);
    uint64_t hash = hash_of(name);
    uint64_t slot = slot_of(name, hash);
    if (!slots_[slot].is_empty()) {
      uint64_t& suffix = next_suffix[name];
      std::string free;
      do {
        free = concat(name, '.', ++suffix);
        hash = hash_of(free);
        slot = slot_of(free, hash);
      } while (!slots_[slot].is_empty());
      name = std::move(free);
    }
    slots_[slot] = {hash, column};
    names_.push_back(std::move(name));
  }
}

uint64_t Names::slot_of(std::string_view name, uint64_t hash) const {
  const uint64_t mask = slots_.size() - 1;
  uint64_t at = hash & mask;
  const auto is_other = [&](const Slot& slot) {
    return !slot.is_empty() && (slot.hash != hash || names_[slot.column] != name);
  };
  while (is_other(slots_[at])) at = (at + 1) & mask;
  return at;
}

uint64_t Names::find(std::string_view name) const {
  const Slot& slot = slots_[slot_of(name, hash_of(name))];
  return slot.is_empty() ? names_.size() : slot.column;
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
