// SVMLight text, also of LIBSVM and LETOR: a row a line, with its label, the query it belongs to
// and the features that are not zero. One pass over the file counts rows and finds where each block
// of them begins; numbers are parsed block by block when they are read.
//
//   line.h        the parts of a line: label, query, features, comment
//   row_index.h   the pass; saved.h keeps its result in a sidecar
//   blocks.h      a column's values of a block
//   open.cc       the table of a file; the columns of several files made one's
//   write.cc      rows as lines
#pragma once

#include "format/format.h"

namespace heron::inline v0::svmlight {

// SVMLight files have no magic at their start.
Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
Match resembles(std::string_view name, std::string_view head, bool is_payload);
// Reads the whole file, or OpenOptions::head_rows rows, unless `saved` has the result; reports
// progress to Context::progress.
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                 const OpenOptions& options, std::span<const std::byte> saved,
                                 const Context& context);
// Opens the same rows with as many features, and labels of the same type, in all files. Throws
// Error(Argument) if only some of them have queries.
std::vector<std::shared_ptr<const File>> unify(std::span<const std::shared_ptr<const File>> files,
                                               const OpenOptions& options, const Context& context);
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
extern const WriteSupport kWriteSupport;
std::vector<std::byte> index(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                             const Context& context);

}  // namespace heron::inline v0::svmlight
