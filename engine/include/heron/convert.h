// Converts every format into every other one and reports every loss.
//
//   rows (a table, a text file, generated ones)
//     -> cast to types that the target supports, which is checked before any byte is written
//     -> sorted by their keys, if they have any
//     -> one file, or several, which appear whole under their names, all of them or none
//
// Files inside files: a container holds the bytes of one other file, its payload, in another form;
// an archive those of many, its entries. open() reads through them; wrap() makes containers and
// unwrap() undoes both.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heron/export.h"
#include "heron/file.h"
#include "heron/formats.h"
#include "heron/row_source.h"
#include "heron/table.h"
#include "heron/writer.h"

namespace heron::inline v0 {

struct WrapOptions {
  std::string container = {};  // a container's name; empty: chosen by the ending of the path
  // Whether to replace an existing file of that name; otherwise it is Error(Write).
  bool replace = false;
  bool mmap = true;  // how the file is read: see OpenOptions::mmap
  // Options of the container; those of another are Error(Argument).
  FormatOptions format_options = {};

  void set(std::string_view name, OptionValue value) {
    format_options.set(name, std::move(value));
  }
};

struct UnwrapOptions {
  bool replace = false;   // as in WrapOptions
  OpenOptions open = {};  // how the container is opened; an archive: which entry is unwrapped
};

// Writes a container with the bytes of the file `in`, which may be of any kind. The file `out`
// appears whole or not at all. Returns the size of the container in bytes. Time and memory depend
// on the container: TreeZip takes twice the payload and 1 MB without previous bits, with N of them
// up to N / 8 + 6 times the payload and 23 MB. Throws Error: Argument, Io, Write, Limit, Cancelled.
HERON_EXPORT uint64_t wrap(const std::string& in, const std::string& out,
                           const WrapOptions& options = {}, const Context& context = {});

// Writes the payload of the outermost container of `in` to `out`, which appears whole or not at
// all; from an archive, the entry options.open.entry, which may be empty if there is only one.
// Throws Error: Argument (no container, no such entry), Limit (more than options.open.max_decode),
// and what open() throws.
HERON_EXPORT uint64_t unwrap(const std::string& in, const std::string& out,
                             const UnwrapOptions& options = {}, const Context& context = {});

struct ConvertOptions {
  // Options of the files to write; `rows` and `key_columns` are filled in. If the path names a
  // container around the format, as "x.jay.tz" does, the file is written into it.
  WriteOptions write = {};
  WrapOptions wrap = {};
  // Columns whose type the format does not support get the first supported type that holds all
  // their values.
  bool cast = false;
  // Leaves out columns that still do not fit, or cannot be read because their type or codec is
  // undefined; otherwise these are Error(Unsupported), which lists all of them. It is also thrown
  // if no column is left.
  bool drop_unsupported = false;
  // Columns to sort the rows by; no two rows may have the same values in them. They come first in
  // the file.
  std::vector<std::string> key = {};
  // For formats that round: read the rows once more beforehand, to report how much they will round.
  bool foresee_rounding = true;
  // Maximum rows per file; 0: one file for all. "part.jay" becomes part-00000.jay ..
  uint64_t rows_per_file = 0;
};

// The result for one column.
struct ConvertedColumn {
  std::string name;
  Type from;
  Type to;  // the type it was written as
  // For formats that round: rows whose value changed, the largest difference, and the difference
  // expected beforehand. Texts that are not UTF-8 change if the format holds only UTF-8.
  uint64_t changed = 0;
  double largest_change = 0;
  double expected_change = 0;
};

struct ConvertReport {
  uint64_t rows = 0;
  uint64_t bytes = 0;
  double seconds = 0;              // until all is written, before syncing to disk
  std::vector<std::string> files;  // in the order of their rows
  std::vector<ConvertedColumn> columns;
  std::vector<std::string> dropped;
};

// Reads the rows once if schemas alone show that they fit, else the columns in question once more
// beforehand. Memory does not grow with rows, apart from containers. Context::note reports what is
// left out, rounded or written as NaN. Throws Error: Argument (no such column, no columns at all,
// keys that are not unique), Unsupported (lists everything that does not fit), Write, Limit,
// Cancelled, and what reading the rows throws; no file is left behind then. Forests are written as
// such: is_forest().
HERON_EXPORT ConvertReport convert(const RowSourcePtr& rows, const std::string& out,
                                   const ConvertOptions& options = {}, const Context& context = {});

// Converts several sources, each into a file of its own; a format that encodes values by their
// range uses the range over all sources. All have the same columns.
HERON_EXPORT ConvertReport convert(std::span<const RowSourcePtr> sources,
                                   std::span<const std::string> outs,
                                   const ConvertOptions& options = {}, const Context& context = {});
inline ConvertReport convert(std::initializer_list<RowSourcePtr> sources,
                             std::initializer_list<std::string> outs,
                             const ConvertOptions& options = {}, const Context& context = {}) {
  return convert(std::span(sources.begin(), sources.size()), std::span(outs.begin(), outs.size()),
                 options, context);
}
// Deleted because one source is one file: std::string would take two paths in braces for two
// pointers.
ConvertReport convert(const RowSourcePtr& rows, std::initializer_list<std::string> outs,
                      const ConvertOptions& options = {}, const Context& context = {}) = delete;

// Returns whether the rows are nodes of trees: their columns are exactly the integers tree (absent:
// one tree), node, left, right, feature and label, and the float value. convert() writes them as a
// forest if the format holds forests; the counts of classes and features come from the columns'
// metadata or the options, else are one more than the largest. Rows that are not whole trees in
// ascending order, or break the rules of ForestWriter::add(), are Error(Argument) that names tree
// and node.
HERON_EXPORT bool is_forest(const RowSource& rows);

// Writes one forest of the trees of all sources, in their order; convert() does the same with the
// files of one table. Takes the memory of a tree. Throws Error(Argument) for rows that are no
// forest, and, naming both files, for forests of different class or feature counts; else as
// convert().
HERON_EXPORT ConvertReport merge_forests(std::span<const RowSourcePtr> forests,
                                         const std::string& out, const ConvertOptions& options = {},
                                         const Context& context = {});
inline ConvertReport merge_forests(std::initializer_list<RowSourcePtr> forests,
                                   const std::string& out, const ConvertOptions& options = {},
                                   const Context& context = {}) {
  return merge_forests(std::span(forests.begin(), forests.size()), out, options, context);
}

// Returns the rows as a table to query: spilled to an unnamed file in `folder`, which is removed
// with the table. Throws Error(Unsupported) for types that such a file cannot hold.
HERON_EXPORT std::shared_ptr<const Table> table_of(const RowSource& rows, const std::string& folder,
                                                   const Context& context = {});

// The types that each format supports, as the command line's help and the README show them.
HERON_EXPORT std::string what_fits_where();

}  // namespace heron::inline v0
