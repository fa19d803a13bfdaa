// An open table, as the methods of the module see it.
#pragma once

#include "common.h"

namespace heron::python {

// Whether a dataset was closed: what is made of it and reads by itself shares this.
struct Closed {
  bool is = false;
  std::string path;
  // Throws ArgumentError if it was.
  void check() const;
};

struct Data {
  std::shared_ptr<const Dataset> dataset;  // null: it was closed
  std::shared_ptr<const Table> table;      // null: the file has none
  std::shared_ptr<Closed> closed = std::make_shared<Closed>();
  std::vector<std::string> paths;
  OpenOptions options;
  ArrowOptions arrow;
  CallOptions call;

  // Throw ArgumentError after close(), and of_rows() where the file has no table. By value: another
  // thread may close it.
  std::shared_ptr<const Dataset> file() const;
  std::shared_ptr<const Table> of_rows() const;
  uint64_t rows() const { return table != nullptr ? table->rows() : of_rows()->rows(); }
  void close();
  // Columns as None (the default ones), a name or number, or several. What was resolved last is
  // kept.
  const Projection& columns(nb::handle wanted);
  // Rows of the default columns.
  std::shared_ptr<RowReader> reader();
  std::optional<Projection> default_columns, last_columns;
  nb::object last_wanted;  // a tuple
  std::shared_ptr<RowReader> default_reader;
};

// ---- describe.cc ----
nb::list schema_list(Data& data);  // as field_tuples() has fields
std::vector<std::string> names(Data& data);
nb::dict info(Data& data);

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

// Makes int64 of the columns of uint64 from number `first` on whose values fit: other programs and
// formats have counts in it.
void make_counts_signed(RowBatch& groups, uint64_t first);

}  // namespace heron::python
