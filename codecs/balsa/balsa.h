// Balsa: tables of one scalar type, decision trees, and ensembles of trees, any number of them in
// sequence, in either byte order. layout.h draws the file.
#pragma once

#include "format/format.h"

namespace heron::inline v0::balsa {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
// Reads the headers of all objects: about a page per tree, and no cells. An index would not help:
// checking it against the file costs as much as reading the headers.
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, std::span<const std::byte> saved,
                                    const Context& context);

// Writes one table, as the format's own library does. All columns are of one type: bool, an integer
// of at most 32 bits or a float. Balsa stores no names: the columns are read back as c0, c1, ... A
// table without columns is stored without rows.
//
// Throws Error: Unsupported (columns of other types), Limit (2^32 or more rows or columns). Its
// write() throws Error(Argument) for a null, which Balsa does not have; NaN is a value.
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
// Writes a forest, an ensemble of trees, as the format's own library does: without a creator, byte
// for byte.
//
// Throws Error(Argument) for more than 255 classes or features.
std::unique_ptr<CheckedForestWriter> create_forest(const std::string& path,
                                                   const ForestShape& shape,
                                                   const WriteOptions& options,
                                                   const Context& context);
extern const WriteSupport kWriteSupport;

}  // namespace heron::inline v0::balsa
