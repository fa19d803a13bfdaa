// CSV: text with a separator between fields. One pass over the file finds types, as csv_rows()
// does, and where each block of rows begins; values are converted block by block when they are
// read.
//
//   record_reader.h, tokenizer.h   from bytes to records and fields
//   infer.h, convert_fields.h      types of fields, and fields as values of a type
//   csv_files.h                    the pass over whole files; csv_rows.cc streams them
//   row_index.h, saved.h           where blocks begin, also in a sidecar
//   kept_values.h                  numbers of that pass, for the first read of their blocks
//   text_blocks.h, field_blocks.h  blocks divided into fields; a column's values of them
//   write/                         rows as text, and the writer of files
//   text_table.h, unify.h          the table of a file; the columns of several files made one's
#pragma once

#include "format/format.h"

namespace heron::inline v0::csv {

// CSV files have no magic at their start.
Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
Match resembles(std::string_view name, std::string_view head, bool is_payload);
// Reads the whole file, or OpenOptions::head_rows rows, unless `saved` has the result; reports
// progress to Context::progress.
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, std::span<const std::byte> saved,
                                    const Context& context);
// Opens the same rows with columns in the order of the first file, each of one type in all files.
// Throws Error(Argument) for files of different columns.
std::vector<std::shared_ptr<const File>> unify(
    std::span<const std::shared_ptr<const File>> files, const OpenOptions& options,
    const Context& context);
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
extern const WriteSupport kWriteSupport;
std::vector<std::byte> index(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                             const Context& context);

}  // namespace heron::inline v0::csv
