// Checks of whole files and tables: whether one is damaged, whether two are equal.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/file.h"
#include "heron/table.h"

namespace heron::inline v0 {

// Reads all structure and all values of every table, columns in parallel on the Context's threads.
// Throws the damage of the first damaged column, or Error(Unsupported) if no column of a table with
// columns can be read. Returns the reasons of columns of undefined type, one line each.
HERON_EXPORT std::vector<std::string> verify(const File& file, const Context& context = {});

struct DiffOptions {
  // The columns that match rows of one table with rows of the other; both ascend by them, and no
  // two rows of a table have the same values in them. Empty: rows match by row number.
  std::vector<std::string> key = {};
  // The columns to compare; empty: all.
  std::vector<std::string> columns = {};
  // Floats are equal if at most this many others of their width lie between them.
  uint64_t float_ulp = 0;
  // How many differences are returned; all are counted.
  uint64_t max_differences = 10;
};

// A value or row that differs.
struct Difference {
  std::string column;            // empty: the row is in one table only
  std::optional<uint64_t> a, b;  // row numbers; nullopt: not in that table
};

// A column that is not in both tables, or not with one type. Its values are not compared.
struct ColumnDifference {
  std::string column;
  std::string a, b;  // the names of the column's types; empty: not in that table
};

struct Diff {
  std::vector<ColumnDifference> columns;
  bool other_order = false;  // the columns of both are in another order
  uint64_t values = 0;       // number of values that differ
  uint64_t rows_a = 0;       // rows that only A has
  uint64_t rows_b = 0;       // rows that only B has
  std::vector<Difference> first;  // the first differences, in the order of A's rows

  bool is_equal() const noexcept {
    return columns.empty() && !other_order && values == 0 && rows_a == 0 && rows_b == 0;
  }
};

// Reads both tables once, in their order, in memory that does not grow with their rows; without a
// key, once for each 65,536 columns. Columns of undefined type are left out, and reported to
// Context::note. Values are equal however they are stored: a sparse vector and a dense one, keys
// with the same value, NaNs, nulls, 0 and -0. Throws Error(Argument) for an unknown column, and for
// rows that do not ascend by the key; what reading throws.
HERON_EXPORT Diff diff(const std::shared_ptr<const Table>& a, const std::shared_ptr<const Table>& b,
                       const DiffOptions& options = {}, const Context& context = {});

}  // namespace heron::inline v0
