// An open table, as the methods of the module see it.
#pragma once

#include "common.h"

namespace heron::python {

struct Data {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Table> table;  // null: the file has none
  std::vector<std::string> paths;
  OpenOptions options;
  ArrowOptions arrow;
  CallOptions call;

  // Throws ArgumentError where the file has no table.
  const std::shared_ptr<const Table>& of_rows() const;
  // Columns as None (the default ones), a name or number, or several. What was resolved last is
  // kept.
  const Projection& columns(nb::handle wanted);
  // Rows of the default columns.
  RowReader& reader();
  std::optional<Projection> default_columns, last_columns;
  nb::object last_wanted;  // a tuple
  std::unique_ptr<RowReader> default_reader;
};

// ---- options.cc ----
OpenOptions open_options(const nb::dict& given);
WriteOptions write_options(const nb::dict& given);
ConvertOptions convert_options(const nb::dict& given);

// Parts of a query as Python gives them.
struct Wanted {
  nb::object columns, where;
  std::optional<std::pair<uint64_t, uint64_t>> rows;
  std::optional<uint64_t> limit;
  std::vector<std::pair<std::string, bool>> order;  // column, descending
};
Query query_of(Data& data, const Wanted& wanted, bool with_columns = true);

}  // namespace heron::python
