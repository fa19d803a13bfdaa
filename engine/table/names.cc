#include "table/names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <unordered_map>

#include "base/fail.h"
#include "base/nearest.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMaxCompared = 10'000;

// Limits the memory of all copies of a name: a name that many columns share takes memory in each.
constexpr uint64_t kMaxSharedBytes = uint64_t{1} << 20;

class NameBytes {
 public:
  explicit NameBytes(const ByteSource* file)
      : file_(file),
        left_(file == nullptr ? UINT64_MAX
                              : kMaxSharedBytes + std::min(file->size(), UINT64_MAX / 2)) {}

  void add(uint64_t column, uint64_t bytes) {
    if (bytes > left_) {
      fail(ErrorKind::Limit, file_->name(), "names of columns are too long: expected at most ",
           kMaxSharedBytes, " bytes more than the file's ", file_->size(),
           ", got more with column ", column, "; columns share names");
    }
    left_ -= bytes;
  }
  [[noreturn]] void fail_count(uint64_t columns) const {
    fail(ErrorKind::Limit, file_ == nullptr ? "" : file_->name(), "expected at most ", UINT32_MAX,
         " columns, got ", columns);
  }

 private:
  const ByteSource* file_;
  uint64_t left_;
};

uint64_t hash_of(std::string_view name) {
  return std::hash<std::string_view>()(name);
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20;
}

std::string without_control_characters(std::string stored) {
  if (std::none_of(stored.begin(), stored.end(), is_control)) return stored;
  std::string name;
  bool in_run = false;
  for (const char c : stored) {
    if (!is_control(c))
      name += c;
    else if (!in_run)
      name += '.';
    in_run = is_control(c);
  }
  return name;
}

}  // namespace

// Handles some names at a time, so that the cache misses of their slots overlap.
Names::Names(const TableSource& source, const ByteSource* file) {
  constexpr uint64_t kNamesAtOnce = 32;
  const uint64_t columns = source.column_count();
  const Table* extended = source.extended();
  const uint64_t stored = extended == nullptr ? columns : extended->column_count();
  NameBytes bytes(file);
  if (columns >= Slot::kEmpty) bytes.fail_count(columns);
  names_.reserve(columns);
  slots_.resize(std::bit_ceil(2 * columns + 1));
  std::unordered_map<std::string, uint64_t> next_suffix;
  std::array<uint64_t, kNamesAtOnce> hashes;
  for (uint64_t first = 0; first < columns; first += kNamesAtOnce) {
    const uint64_t end = std::min(columns, first + kNamesAtOnce);
    for (uint64_t column = first; column < end; ++column) {
      std::string name = source.stored_name(column);
      bytes.add(column, name.size());
      name = without_control_characters(std::move(name));
      if (name.empty()) name = source.default_name(column);
      hashes[column - first] = hash_of(name);
      __builtin_prefetch(&slots_[hashes[column - first] & (slots_.size() - 1)], 1);
      names_.push_back(std::move(name));
    }
    for (uint64_t column = first; column < end; ++column) {
      std::string& name = names_[column];
      uint64_t hash = hashes[column - first];
      uint64_t slot = slot_of(name, hash);
      if (!slots_[slot].is_empty()) {
        if (column >= stored) continue;  // it keeps its name, but is not found by it
        uint64_t& suffix = next_suffix[name];
        std::string free;
        do {
          free = concat(name, '.', ++suffix);
          hash = hash_of(free);
          slot = slot_of(free, hash);
        } while (!slots_[slot].is_empty());
        name = std::move(free);
      }
      slots_[slot] = {static_cast<uint32_t>(hash), static_cast<uint32_t>(column)};
    }
  }
}

uint64_t Names::slot_of(std::string_view name, uint64_t hash) const {
  const uint64_t mask = slots_.size() - 1;
  uint64_t at = hash & mask;
  const auto is_other = [&](const Slot& slot) {
    return !slot.is_empty() &&
           (slot.hash != static_cast<uint32_t>(hash) || names_[slot.column] != name);
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
  const std::string prefix = concat(name, '.');
  Nearest nearest(name);
  for (uint64_t i = 0; i < std::min(table.column_count(), kMaxCompared); ++i) {
    const std::string& column = table.column_name(i);
    // Codecs name the children of a struct "a.b".
    if (column.starts_with(prefix)) {
      return concat(text, "; \"", name, "\" is a struct, whose children are columns such as \"",
                    column, '"');
    }
    nearest.consider(column);
  }
  return text + nearest.question();
}

std::string similar_column(const Schema& schema, std::string_view name) {
  Nearest nearest(name);
  for (uint64_t i = 0; i < std::min<uint64_t>(schema.size(), kMaxCompared); ++i) {
    nearest.consider(schema[i].name);
  }
  return nearest.question();
}

}  // namespace heron::inline v0
