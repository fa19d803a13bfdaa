// Which rows of a table may come before a bound in an order: what a query for the first rows need
// not read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "exec/morsel_reader.h"
#include "filter/filter.h"
#include "rows/resolved_query.h"

namespace heron::inline v0 {

// Tests the first column of an order by the kernels and the zones of predicates, and only where the
// bound has moved since the last test makes a new predicate. One thread at a time.
class RowsBefore {
 public:
  // `by` is the first column of the order; `is_last`: and the only one. The arguments must outlive
  // this.
  RowsBefore(const Input& input, OrderColumn by, bool is_last, const Context& context);

  // Whether the column is tested here: it is stored, and decided without a look at a dictionary.
  static bool suits(const Table& table, uint64_t column, const Context& context);

  // Leaves out rows of the morsel that come behind the bound, a record as OrderedRows makes them;
  // later rows that are level with it, too. Returns whether any may be left.
  bool narrow(std::string_view bound, MorselReader& morsel);

 private:
  void set_bound(std::string_view bound, bool level);

  const Input& input_;
  const OrderColumn by_;
  const bool is_last_;
  FilterState state_;
  std::string bound_;   // the record that filter_ is made of
  bool level_ = false;  // whether filter_ keeps rows that are level with the bound
  std::optional<Filter> filter_;
  Context context_;
};

}  // namespace heron::inline v0
