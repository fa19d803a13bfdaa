// Rows of text files with a separator between fields (RFC 4180).
#pragma once

#include <string>
#include <vector>

#include "heron/csv.h"
#include "heron/export.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

// Returns the records of all the files, one file after the other. All headers have the same names,
// in any order, and columns are in the order of the first; without headers, files have as many
// columns. A column of different types in the files gets the first type that holds all its values.
// Reads all files once, at a few hundred MB/s, to infer types, count rows and check that each
// record has as many fields as the first. Each stream reads them again. Memory does not grow with
// the files, except for a record, which must be below 1 GiB and a million fields. Files are read,
// not mapped. A byte order mark is ignored. LF, CRLF and CR end lines. Blank lines are ignored in
// files with several columns and nulls in files with one. Other encodings are converted to UTF-8
// whenever bytes are read. Context::note reports the detected encoding; for each column that is
// text because of few values, the first of these, its line and their number; columns whose values
// are read otherwise than they look, or might be; and columns of different types in the files.
// Context::progress counts the bytes of both reads.
//
// Throws Error: Io; Corrupt, with line and column, for a record with another number of fields,
// quotes that do not close or are not followed by a separator, bytes that are not of the encoding,
// and a field that does not fit the given type of its column; UnknownFormat for a file that begins
// as other kinds of files do, such as compressed ones; Argument for a type of an unknown column and
// files whose columns differ; Changed if a file changed since the first read; Limit; Cancelled.
HERON_EXPORT RowSourcePtr csv_rows(std::vector<std::string> paths, const CsvOptions& options = {},
                                   const Context& context = {});

}  // namespace heron::inline v0
