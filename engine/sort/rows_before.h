// Finds the rows of a table that may come before a bound in an order: a query for the first rows
// need not read the others.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "exec/morsel_reader.h"
#include "exec/resolved_query.h"
#include "filter/filter.h"

namespace heron::inline v0 {

// Tests the first column of an order by the kernels and the zones of predicates; makes a new
// predicate only if the bound has moved since the last test. One thread at a time.
class RowsBefore {
 public:
  // `by` is the first column of the order, `is_last` whether it is the only one. The arguments must
  // outlive this.
  RowsBefore(const Input& input, OrderColumn by, bool is_last, const Context& context);

  // Returns whether the column can be tested: it is stored in one file, without a dictionary, and
  // damage is not skipped.
  static bool suits(const Input& input, uint64_t column, const Context& context);

  // Leaves out rows of the morsel that come behind the bound, a record as OrderedRows makes them,
  // and later rows that tie with it. Returns whether any may be left.
  bool narrow(std::string_view bound, MorselReader& morsel);

 private:
  void set_bound(std::string_view bound, bool level);

  const Input& input_;
  const OrderColumn by_;
  const bool is_last_;
  FilterState state_;
  std::string bound_;   // the record that filter_ is made of
  bool level_ = false;  // whether filter_ keeps rows that tie with the bound
  std::optional<Filter> filter_;
  Context context_;
};

}  // namespace heron::inline v0
