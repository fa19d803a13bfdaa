// Every format into every other, without losing anything unsaid.
//
//   rows (a table, a text file, made-up ones)
//     -> fitted to what the format can hold, which is found out before any byte is written
//     -> in the order of their keys, if they have some
//     -> one file, or parts, which appear under their names whole, all of them or none
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heron/container.h"
#include "heron/row_source.h"
#include "heron/writer.h"

namespace heron::inline v0 {

struct ConvertOptions {
  // Of the files to write; `rows` and `key_columns` are found out. Where the path names a container
  // around the format, as "x.jay.tz" does, the file is put into it.
  WriteOptions write;
  WrapOptions wrap;
  // Columns that the format has no type for get the first other one that holds all their values.
  bool cast = false;
  // What still does not fit, or cannot be read because nobody has defined its type or codec, is
  // left out; else it is Error(Unsupported), which lists all of it.
  bool drop_unsupported = false;
  // Columns by which the rows are to be sorted and unique; they come first in the file.
  std::vector<std::string> key;
  // Of formats that round: go through the rows once more, before, to tell how much they will.
  bool foresee_rounding = true;
  // At most so many rows a file; 0: all in one. Of "part.jay" the files are part-00000.jay ..
  uint64_t rows_per_file = 0;
};

// What has become of one column.
struct ConvertedColumn {
  std::string name;
  Type from;
  Type to;  // what it was written as
  // Rows whose value is another one than before, the largest difference, and what was expected of
  // it before: of formats that round. Texts that are not UTF-8 change where a format has no such.
  uint64_t changed = 0;
  double largest_change = 0;
  double expected_change = 0;
};

struct ConvertReport {
  uint64_t rows = 0;
  uint64_t bytes = 0;
  double seconds = 0;              // until all was written; making it durable comes after
  std::vector<std::string> files;  // in their order
  std::vector<ConvertedColumn> columns;
  std::vector<std::string> dropped;
};

// Goes through the rows once where schemas alone tell that they fit, else, for the columns in
// question, once more before. Memory does not grow with rows, containers aside. Context::note is
// told of what is left out, rounded or written as NaN. Throws Error: Argument (no such column, keys
// that are not unique), Unsupported (what does not fit, all of it), Write, Limit, Cancelled, and
// what the rows throw; nothing of the files is then left.
ConvertReport convert(const RowSourcePtr& rows, const std::string& out,
                      const ConvertOptions& options = {}, const Context& context = {});

// Several, each to a file of its own, as if they were one where a format writes values by the range
// of all of them. All have the same columns.
ConvertReport convert(std::span<const RowSourcePtr> sources, std::span<const std::string> outs,
                      const ConvertOptions& options = {}, const Context& context = {});

// The rows as a table, for questions: put away in a file without a name in that folder, which is
// gone with the table. Throws Error(Unsupported) for types that such a file cannot hold.
std::shared_ptr<const Table> table_of(const RowSource& rows, const std::string& folder,
                                      const Context& context = {});

// What each format can hold of each type, as the command line's help and the README show it.
std::string what_fits_where();

}  // namespace heron::inline v0
