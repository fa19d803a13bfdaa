#include "dataset/names.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heron::inline v0 {
namespace {

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

// The name most like the one that is not there, to be suggested; empty if none is near.
std::string_view nearest_name(const Table& table, std::string_view wanted) {
  constexpr uint64_t kMostNames = 10'000;
  std::string_view nearest;
  uint64_t least = std::max<uint64_t>(wanted.size() / 2, 1) + 1;
  std::vector<uint64_t> row;
  for (uint64_t i = 0; i < std::min(table.column_count(), kMostNames); ++i) {
    const std::string_view name = table.column_name(i);
    if (name.size() > 64 || wanted.size() > 64) continue;
    row.resize(name.size() + 1);
    std::iota(row.begin(), row.end(), uint64_t{0});
    for (uint64_t w = 1; w <= wanted.size(); ++w) {
      uint64_t diagonal = std::exchange(row[0], w);
      for (uint64_t n = 1; n <= name.size(); ++n) {
        const uint64_t swap = diagonal + (wanted[w - 1] != name[n - 1]);
        diagonal = std::exchange(row[n], std::min({row[n] + 1, row[n - 1] + 1, swap}));
      }
    }
    if (row.back() < least) {
      least = row.back();
      nearest = name;
    }
  }
  return nearest;
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
  const std::string_view nearest = nearest_name(table, name);
  return nearest.empty() ? text : concat(text, "; did you mean \"", nearest, "\"?");
}

}  // namespace heron::inline v0
