// Compares two scans side by side: by row number in step, by key as a merge.
#include "heron/check.h"

#include <algorithm>

#include "base/fail.h"
#include "heron/scan.h"
#include "table/internals.h"
#include "values/equal.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

using TablePtr = std::shared_ptr<const Table>;

// The maximum number of columns compared in one pass over the rows: more would take too much
// memory.
constexpr uint64_t kColumnsAtOnce = uint64_t{1} << 16;

// The columns that both tables have with one type, in the order of A's.
struct Compared {
  std::vector<std::string> names;
  std::vector<ColumnDifference> differences;
  bool other_order = false;
};

// Returns whether the default projection leaves out the column.
bool is_left_out(const Table& table, uint64_t column, const Context& context) {
  const Error* error = internals(table).column(column).unreadable();
  if (error == nullptr || error->kind() != ErrorKind::Unsupported) return false;
  if (context.note) context.note(concat("left out: ", error->what()));
  return true;
}

Compared compared(const Table& a, const Table& b, const Context& context) {
  Compared both;
  std::vector<uint64_t> in_b;
  for (uint64_t i = 0; i < a.column_count(); ++i) {
    const Field field = a.field_without_metadata(i);
    const auto other = b.find_column(field.name);
    if (!other) {
      both.differences.push_back({field.name, field.type.name(), {}});
      continue;
    }
    if (is_left_out(a, i, context) || is_left_out(b, *other, context)) continue;
    const std::string of_a = field.type.name();
    const std::string of_b = b.field_without_metadata(*other).type.name();
    if (of_a != of_b) {
      both.differences.push_back({field.name, of_a, of_b});
      continue;
    }
    both.names.push_back(field.name);
    in_b.push_back(*other);
  }
  for (uint64_t i = 0; i < b.column_count(); ++i) {
    if (a.find_column(b.column_name(i))) continue;
    const Field field = b.field_without_metadata(i);
    both.differences.push_back({field.name, {}, field.type.name()});
  }
  both.other_order = !std::ranges::is_sorted(in_b);
  return both;
}

Compared compared_columns(const Table& a, const Table& b, const DiffOptions& options,
                          const Context& context) {
  Compared both = compared(a, b, context);
  const auto is_known = [&](const std::string& name) {
    return std::ranges::find(both.names, name) != both.names.end();
  };
  for (const auto* names : {&options.columns, &options.key}) {
    for (const std::string& name : *names) {
      if (is_known(name)) continue;
      fail(ErrorKind::Argument, bytes_of(a).name(), "column \"", name,
           "\" is not in both tables with one type");
    }
  }
  if (options.columns.empty()) return both;
  both.differences.clear();
  both.other_order = false;
  both.names = options.columns;
  for (const std::string& name : options.key) {
    if (!is_known(name)) both.names.push_back(name);
  }
  return both;
}

// The rows of a table in their order.
class Side {
 public:
  Side(const TablePtr& table, std::span<const std::string> columns,
       const std::vector<std::string>& key, const Context& context)
      : table_(*table), projection_(table, columns), scan_(projection_, context) {
    for (const std::string& name : key) {
      const auto found = std::ranges::find(columns, name);
      key_.push_back(static_cast<uint64_t>(found - columns.begin()));
    }
    advance(0);
  }

  bool at_end() const noexcept { return at_ == batch_.rows; }
  uint64_t left() const noexcept { return batch_.rows - at_; }
  uint64_t at() const noexcept { return at_; }
  uint64_t row() const noexcept { return scan_.first_row() + at_; }
  const RowBatch& batch() const noexcept { return batch_; }

  // Moves past this many rows, at most left().
  void advance(uint64_t rows) {
    at_ += rows;
    while (at_ == batch_.rows) {
      at_ = 0;
      if (!scan_.next(batch_)) break;
    }
  }

  // Moves to the next row, whose key must be above this one's.
  void advance_by_key() {
    std::vector<Scalar> before = key();
    const uint64_t row_before = row();
    advance(1);
    if (at_end() || compare_with(before) > 0) return;
    fail(ErrorKind::Argument, bytes_of(table_).name(), "table \"", table_.name(),
         "\" does not ascend by the key: row ", row(), " is not above row ", row_before);
  }

  std::vector<Scalar> key() const {
    std::vector<Scalar> values;
    for (const uint64_t column : key_) {
      values.push_back(owned(scalar_at(batch_.columns[column], at_)));
    }
    return values;
  }
  std::strong_ordering compare_with(std::span<const Scalar> other) const {
    for (uint64_t i = 0; i < key_.size(); ++i) {
      const auto order = compare(scalar_at(batch_.columns[key_[i]], at_), view_of(other[i]));
      if (order != std::strong_ordering::equal) return order;
    }
    return std::strong_ordering::equal;
  }
  std::strong_ordering compare_with(const Side& other) const {
    for (uint64_t i = 0; i < key_.size(); ++i) {
      const auto order = compare(scalar_at(batch_.columns[key_[i]], at_),
                                 scalar_at(other.batch_.columns[other.key_[i]], other.at_));
      if (order != std::strong_ordering::equal) return order;
    }
    return std::strong_ordering::equal;
  }
  void check_key() const {
    for (const uint64_t column : key_) {
      const Field& field = (*projection_.schema())[column];
      if (has_scalars(field.type)) continue;
      fail(ErrorKind::Argument, bytes_of(table_).name(), "column \"", field.name, "\" of type ",
           field.type.name(), " cannot be a key");
    }
  }

 private:
  const Table& table_;
  const Projection projection_;
  Scan scan_;
  RowBatch batch_;
  uint64_t at_ = 0;  // index of the current row in batch_
  std::vector<uint64_t> key_;
};

class Comparison {
 public:
  Comparison(const DiffOptions& options, std::span<const std::string> columns, Diff& diff)
      : options_(options), names_(columns), diff_(diff) {}

  // Compares as many rows as both have in their batches.
  void compare_step(Side& a, Side& b) {
    const uint64_t rows = std::min(a.left(), b.left());
    for (uint64_t i = 0; i < rows; ++i) compare_rows(a, b, i);
    a.advance(rows);
    b.advance(rows);
  }

  void compare_rows(const Side& a, const Side& b, uint64_t ahead = 0) {
    for (uint64_t column = 0; column < names_.size(); ++column) {
      if (is_equal(a.batch().columns[column], a.at() + ahead, b.batch().columns[column],
                   b.at() + ahead, options_.float_ulp)) {
        continue;
      }
      ++diff_.values;
      add({names_[column], a.row() + ahead, b.row() + ahead});
    }
  }

  void only_in_a(const Side& a) {
    ++diff_.rows_a;
    add({{}, a.row(), std::nullopt});
  }
  void only_in_b(const Side& b) {
    ++diff_.rows_b;
    add({{}, std::nullopt, b.row()});
  }

 private:
  void add(Difference difference) {
    if (diff_.first.size() < options_.max_differences) diff_.first.push_back(std::move(difference));
  }

  const DiffOptions& options_;
  const std::span<const std::string> names_;
  Diff& diff_;
};

// Adds the differences of further columns in the order of rows; rows of one table only come last,
// and are known already.
void add_first(std::vector<Difference>& found, uint64_t most, std::vector<Difference>& first) {
  std::erase_if(found, [](const Difference& one) { return one.column.empty(); });
  const auto before = static_cast<ptrdiff_t>(first.size());
  first.insert(first.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
  std::inplace_merge(first.begin(), first.begin() + before, first.end(),
                     [](const Difference& x, const Difference& y) {
                       return std::pair(x.column.empty(), x.a) < std::pair(y.column.empty(), y.a);
                     });
  if (first.size() > most) first.erase(first.begin() + static_cast<ptrdiff_t>(most), first.end());
}

void merge_by_key(Side& a, Side& b, Comparison& comparison, const Context& context) {
  while (!a.at_end() || !b.at_end()) {
    context.check_cancelled();
    const auto order = a.at_end()   ? std::strong_ordering::greater
                       : b.at_end() ? std::strong_ordering::less
                                    : a.compare_with(b);
    if (order == std::strong_ordering::equal) comparison.compare_rows(a, b);
    if (order < 0) comparison.only_in_a(a);
    if (order > 0) comparison.only_in_b(b);
    if (order <= 0) a.advance_by_key();
    if (order >= 0) b.advance_by_key();
  }
}

void step_by_number(Side& a, Side& b, Comparison& comparison, const Context& context) {
  while (!a.at_end() && !b.at_end()) {
    context.check_cancelled();
    comparison.compare_step(a, b);
  }
  for (; !a.at_end(); a.advance(1)) comparison.only_in_a(a);
  for (; !b.at_end(); b.advance(1)) comparison.only_in_b(b);
}

// Compares some columns at a time.
void compare_by_number(const TablePtr& a, const TablePtr& b, std::span<const std::string> names,
                       const DiffOptions& options, Diff& diff, const Context& context) {
  uint64_t first = 0;
  do {
    const auto some = names.subspan(first, std::min(kColumnsAtOnce, names.size() - first));
    Diff of_some;
    Side in_a(a, some, {}, context), in_b(b, some, {}, context);
    Comparison comparison(options, some, of_some);
    step_by_number(in_a, in_b, comparison, context);
    diff.values += of_some.values;
    if (first == 0) {
      diff.rows_a = of_some.rows_a;
      diff.rows_b = of_some.rows_b;
      diff.first = std::move(of_some.first);
    } else {
      add_first(of_some.first, options.max_differences, diff.first);
    }
    first += some.size();
  } while (first < names.size());
}

}  // namespace

Diff diff(const TablePtr& a, const TablePtr& b, const DiffOptions& options,
          const Context& context) {
  check_given(a, "a table");
  check_given(b, "a table");
  return unless_changed(bytes_of(*a), [&] {
    return unless_changed(bytes_of(*b), [&] {
      const Compared columns = compared_columns(*a, *b, options, context);
      Diff diff;
      diff.columns = columns.differences;
      diff.other_order = columns.other_order;
      if (options.key.empty()) {
        compare_by_number(a, b, columns.names, options, diff, context);
      } else {
        Side in_a(a, columns.names, options.key, context);
        Side in_b(b, columns.names, options.key, context);
        Comparison comparison(options, columns.names, diff);
        in_a.check_key();
        merge_by_key(in_a, in_b, comparison, context);
      }
      return diff;
    });
  });
}

}  // namespace heron::inline v0
