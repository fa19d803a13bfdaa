#include "dataset/names.h"

#include <algorithm>

#include "base/nearest.h"

namespace heron::inline v0 {
namespace {

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

Names::Names(const TableSource& source) {
  names_.reserve(source.column_count());
  columns_.reserve(source.column_count());
  std::unordered_map<std::string, uint64_t> next_suffix;
  for (uint64_t column = 0; column < source.column_count(); ++column) {
    std::string name = without_control_characters(source.stored_name(column));
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
  constexpr uint64_t kMostNames = 10'000;
  Nearest nearest(name);
  for (uint64_t i = 0; i < std::min(table.column_count(), kMostNames); ++i) {
    nearest.consider(table.column_name(i));
  }
  return text + nearest.question();
}

}  // namespace heron::inline v0
