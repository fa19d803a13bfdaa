// An open file or table, as the methods of the module use it.
#pragma once

#include "common.h"

namespace heron::python {

// A flag for "the file was closed", which its tables and objects that read by themselves share.
struct Closed {
  bool is = false;
  std::string path;
  // Throws ArgumentError if the file was closed.
  void check() const;
};

struct Data {
  std::shared_ptr<const File> opened;  // null after the file was closed
  std::shared_ptr<const Table> table;   // null for a file, or a table of a file without tables
  std::shared_ptr<Closed> closed = std::make_shared<Closed>();
  std::vector<std::string> paths;
  OpenOptions options;
  ArrowOptions arrow;
  CallOptions call;

  // of_rows() returns the table or, for a file, its first one, and throws ArgumentError if the file
  // has no tables. Both throw ArgumentError after close(). They return by value: another thread may
  // close the file.
  std::shared_ptr<const File> file() const;
  std::shared_ptr<const Table> of_rows() const;
  uint64_t rows() const {
    closed->check();
    return table != nullptr ? table->rows() : opened->table()->rows();
  }
  void close();
  // Resolves columns given as None (the default ones), a name or number, or several. Keeps the
  // columns that it resolved last.
  const Projection& columns(nb::handle requested);
  // Returns the reader of rows of the default columns.
  std::shared_ptr<RowReader> reader();
  std::optional<Projection> default_columns, last_columns;
  nb::object last_requested;  // the columns of last_columns, a tuple
  std::shared_ptr<RowReader> default_reader;
};

// ---- describe.cc ----
nb::list schema_list(Data& data);  // tuples like those of field_tuples()
std::vector<std::string> names(Data& data);
nb::dict info(Data& data);     // describes the file, without its tables and entries
nb::list tables(Data& data);   // returns dicts; opens the entries of an archive
nb::list entries(Data& data);  // returns dicts; opens the entries
void bind_file(nb::module_& module, nb::class_<Data>& data);

// ---- options.cc ----
// The names of the options of formats for opening, or for writing.
// (name, whether it is of writing, kind, choices) of each option of the formats.
nb::list format_option_tuples();
OpenOptions open_options(const nb::dict& given);
WriteOptions write_options(const nb::dict& given);
ConvertOptions convert_options(const nb::dict& given);

// The arguments of a query, as Python gives them.
struct QueryArguments {
  nb::object columns, where;
  std::optional<std::pair<uint64_t, uint64_t>> rows;
  std::optional<uint64_t> limit;
  std::vector<std::pair<std::string, bool>> order;  // pairs of a column and "descending"
};
Query query_of(Data& data, const QueryArguments& arguments, bool with_columns = true);

// Converts to int64 those columns of uint64, from index `first` on, whose values fit: other
// programs and formats use int64 for counts.
void make_counts_signed(RowBatch& groups, uint64_t first);

}  // namespace heron::python
