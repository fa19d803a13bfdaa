// Rows by key against a plain search, in rows that ascend, nulls and NaNs at either end, and in
// rows that nearly ascend or do not: a returned row is equal to its key, all equal ones are
// returned if rows ascend, and an error names two rows that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <regex>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"

namespace heron {
namespace {

// The position of a value in the order of keys; nullopt is null.
using Cell = std::optional<int>;
constexpr int kNaNCell = -1000;

enum class ColumnKind : uint8_t { Int8, Int32, Int64, UInt16, Float64, Text, Bool, Key };

struct Ends {
  bool nulls_last, nans_last;
};

int rank(const Cell& cell, const Ends& ends) {
  if (!cell) return ends.nulls_last ? 3000 : -3000;
  if (*cell == kNaNCell) return ends.nans_last ? 2000 : -2000;
  return *cell;
}

class FindProperty : public testing::TestWithParam<std::tuple<ColumnKind, bool>> {
 protected:
  ColumnKind kind() const { return std::get<0>(GetParam()); }
  bool mapped() const { return std::get<1>(GetParam()); }
  uint64_t below(uint64_t bound) { return random_() % bound; }

  std::vector<Cell> cells(uint64_t rows) {
    std::vector<Cell> cells(rows);
    const int values = kind() == ColumnKind::Bool ? 2 : 1 + static_cast<int>(below(12));
    const int low = kind() == ColumnKind::Bool || kind() == ColumnKind::UInt16 ? 0
                    : kind() == ColumnKind::Key                                ? 1
                                                                               : -3;
    const bool has_nulls = below(2) == 0 && kind() != ColumnKind::UInt16;
    const bool has_nans = kind() == ColumnKind::Float64 && below(2) == 0;
    for (Cell& cell : cells) {
      cell = low + static_cast<int>(below(static_cast<uint64_t>(values)));
      if (has_nans && below(5) == 0) cell = kNaNCell;
      if (has_nulls && below(5) == 0) cell = std::nullopt;
    }
    return cells;
  }
  void add(TableMaker& maker, const std::string& name, const std::vector<Cell>& cells) const {
    switch (kind()) {
      case ColumnKind::Int8: return add_integers<int8_t>(maker, name, Type::Int8, cells);
      case ColumnKind::Int32: return add_integers<int32_t>(maker, name, Type::Int32, cells);
      case ColumnKind::Int64: return add_integers<int64_t>(maker, name, Type::Int64, cells);
      case ColumnKind::UInt16: return add_integers<uint16_t>(maker, name, Type::UInt16, cells);
      case ColumnKind::Key: {
        std::vector<uint32_t> numbers;
        for (const Cell& cell : cells) numbers.push_back(static_cast<uint32_t>(cell.value_or(0)));
        maker.fixed(name, Type::key(Type::UInt32, 20), numbers, NullEncoding::Zero);
        return;
      }
      case ColumnKind::Float64: return add_floats(maker, name, cells);
      case ColumnKind::Text: {
        std::vector<std::optional<std::string>> texts;
        for (const Cell& cell : cells)
          texts.push_back(cell ? std::optional(text_of(*cell)) : std::nullopt);
        maker.texts(name, texts);
        return;
      }
      case ColumnKind::Bool: {
        std::vector<bool> values, valid;
        for (const Cell& cell : cells) {
          values.push_back(cell.value_or(0) != 0);
          valid.push_back(cell.has_value());
        }
        maker.bits(name, values, valid);
      }
    }
  }
  Scalar key_of(const Cell& cell) const {
    if (!cell) return {};
    if (*cell == kNaNCell) return kNaN;
    if (kind() == ColumnKind::Text) return text_of(*cell);
    if (kind() == ColumnKind::Bool) return *cell != 0;
    if (kind() == ColumnKind::Float64) return static_cast<double>(*cell) / 4;
    return int64_t{*cell};
  }
  // Returns a key of a column; it is possible that no row has it.
  Cell any_key() {
    if (below(6) == 0) return std::nullopt;
    if (kind() == ColumnKind::Bool) return static_cast<int>(below(2));
    if (kind() == ColumnKind::Float64 && below(6) == 0) return kNaNCell;
    return static_cast<int>(below(16)) - 4;
  }

  // Returns columns that ascend, or now and then nearly do; they are disordered afterwards.
  std::vector<std::vector<Cell>> columns(uint64_t rows, uint64_t count, const Ends& ends) {
    std::vector<std::vector<Cell>> all(count);
    for (auto& column : all) column = cells(rows);
    std::vector<uint64_t> order(rows);
    for (uint64_t row = 0; row < rows; ++row) order[row] = row;
    std::sort(order.begin(), order.end(),
              [&](uint64_t a, uint64_t b) { return is_below(all, a, b, ends); });
    switch (below(5)) {
      case 0: std::reverse(order.begin(), order.end()); break;
      case 1:
        if (rows != 0) std::swap(order[below(rows)], order[below(rows)]);
        break;
      case 2:
        if (rows != 0) {
          const auto middle = order.begin() + static_cast<ptrdiff_t>(below(rows));
          std::rotate(order.begin(), middle, order.end());
        }
        break;
      default: break;
    }
    for (auto& column : all) {
      const std::vector<Cell> before = column;
      for (uint64_t row = 0; row < rows; ++row) column[row] = before[order[row]];
    }
    return all;
  }

  static bool is_below(const std::vector<std::vector<Cell>>& all, uint64_t a, uint64_t b,
                       const Ends& ends) {
    for (const auto& column : all) {
      const int left = rank(column[a], ends), right = rank(column[b], ends);
      if (left != right) return left < right;
    }
    return false;
  }
  static bool ascends(const std::vector<std::vector<Cell>>& all, const Ends& ends) {
    for (uint64_t row = 1; row < all[0].size(); ++row) {
      if (is_below(all, row, row - 1, ends)) return false;
    }
    return true;
  }

  void check(const std::vector<std::vector<Cell>>& all, const Projection& columns,
             const std::vector<Cell>& key) const {
    const uint64_t rows = all[0].size();
    constexpr Ends kAllEnds[] = {{false, false}, {false, true}, {true, false}, {true, true}};
    const bool sorted = std::any_of(std::begin(kAllEnds), std::end(kAllEnds),
                                    [&](const Ends& ends) { return ascends(all, ends); });
    std::vector<uint64_t> equal;
    for (uint64_t row = 0; row < rows; ++row) {
      bool same = true;
      for (uint64_t c = 0; c < all.size(); ++c) same = same && all[c][row] == key[c];
      if (same) equal.push_back(row);
    }
    std::vector<Scalar> scalars;
    for (const Cell& cell : key) scalars.push_back(key_of(cell));
    try {
      const RowRange range = find_range(columns, scalars);
      ASSERT_LE(range.last, rows);
      for (uint64_t row = range.first; row < range.last; ++row) {
        ASSERT_TRUE(std::binary_search(equal.begin(), equal.end(), row)) << row;
      }
      if (sorted) {
        ASSERT_EQ(range.rows(), equal.size());
      }
      const uint64_t expected = range.rows() != 0 ? range.first : kNoRow;
      ASSERT_EQ(find(columns, scalars), std::vector{expected});
    } catch (const Error& error) {
      ASSERT_FALSE(sorted) << error.what();
      ASSERT_EQ(error.kind(), ErrorKind::Argument);
      check_error(error.what(), all);
    }
    if (all.size() == 1 && key[0] && std::holds_alternative<int64_t>(scalars[0])) {
      check_integers(columns, *key[0], equal, sorted);
    }
  }
  void check_integers(const Projection& columns, int64_t key, const std::vector<uint64_t>& equal,
                      bool sorted) const {
    try {
      const std::vector<uint64_t> found = find(columns, std::vector{key});
      if (sorted) {
        ASSERT_EQ(found[0], equal.empty() ? kNoRow : equal[0]);
      } else {
        ASSERT_TRUE(found[0] == kNoRow || std::binary_search(equal.begin(), equal.end(), found[0]));
      }
    } catch (const Error& error) {
      ASSERT_FALSE(sorted) << error.what();
    }
  }
  // Checks that the rows that an error names are not in order, wherever nulls and NaNs are to be.
  static void check_error(const std::string& text, const std::vector<std::vector<Cell>>& all) {
    static const std::regex two_rows("row (\\d+) has .*row (\\d+) has ");
    std::smatch rows;
    ASSERT_TRUE(std::regex_search(text, rows, two_rows)) << text;
    const uint64_t first = std::stoull(rows[1]), later = std::stoull(rows[2]);
    ASSERT_LT(first, later);
    const auto odd = [&](uint64_t row) {
      return std::any_of(all.begin(), all.end(), [&](const auto& column) {
        return !column[row] || *column[row] == kNaNCell;
      });
    };
    ASSERT_TRUE(is_below(all, later, first, {false, false}) || odd(first) || odd(later)) << text;
  }

  std::mt19937_64 random_{7};

 private:
  static std::string text_of(int cell) { return std::string(1, static_cast<char>('k' + cell)); }

  template <class T>
  static void add_integers(TableMaker& maker, const std::string& name, Type type,
                           const std::vector<Cell>& cells) {
    std::vector<T> stored;
    for (const Cell& cell : cells)
      stored.push_back(cell ? static_cast<T>(*cell) : std::numeric_limits<T>::min());
    maker.fixed(name, std::move(type), stored,
                std::is_signed_v<T> ? NullEncoding::Sentinel : NullEncoding::Never);
  }
  static void add_floats(TableMaker& maker, const std::string& name,
                         const std::vector<Cell>& cells) {
    std::vector<double> stored;
    std::vector<bool> valid;
    for (const Cell& cell : cells) {
      stored.push_back(cell == kNaNCell ? kNaN : cell.value_or(0) / 4.0);
      valid.push_back(cell.has_value());
    }
    maker.fixed(name, Type::Float64, stored, NullEncoding::Bitmap, valid);
  }
};

TEST_P(FindProperty, OneColumnAgainstAPlainSearch) {
  for (uint64_t round = 0; round < tries(25); ++round) {
    const Ends ends{below(2) == 0, below(2) == 0};
    const auto all = columns(below(30), 1, ends);
    TableMaker maker(all[0].size());
    add(maker, "key", all[0]);
    const Projection columns(maker.table(mapped()));
    for (int i = 0; i < 12; ++i) {
      check(all, columns, {any_key()});
      if (HasFatalFailure()) FAIL() << "round " << round;
    }
  }
}

TEST_P(FindProperty, TwoColumnsAgainstAPlainSearch) {
  for (uint64_t round = 0; round < tries(20); ++round) {
    const Ends ends{below(2) == 0, below(2) == 0};
    const auto all = columns(below(60), 2, ends);
    TableMaker maker(all[0].size());
    add(maker, "a", all[0]);
    add(maker, "b", all[1]);
    const Projection columns(maker.table(mapped()));
    for (int i = 0; i < 12; ++i) {
      check(all, columns, {any_key(), any_key()});
      if (HasFatalFailure()) FAIL() << "round " << round;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, FindProperty,
                         testing::Combine(testing::Values(ColumnKind::Int8, ColumnKind::Int32,
                                                          ColumnKind::Int64, ColumnKind::UInt16,
                                                          ColumnKind::Float64, ColumnKind::Text,
                                                          ColumnKind::Bool, ColumnKind::Key),
                                          testing::Bool()));

}  // namespace
}  // namespace heron
