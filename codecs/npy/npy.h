// NumPy arrays: one array in a file, in either byte order and in C and Fortran order. layout.h
// draws the file. A file .npz is a zip archive of such files, which the zip codec opens.
#pragma once

#include "format/format.h"

namespace heron::inline v0::npy {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
// Reads the header. Pickled objects are never loaded: an array of them is Error(Unsupported).
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                 const OpenOptions& options, std::span<const std::byte> saved,
                                 const Context& context);

// Writes one column as an array, whose name is not stored; several columns, or one with the option
// `structured`, as a structured array. The rows of vectors are further axes. Texts become texts of
// UCS4 that are as long as the longest: they are spilled until it is known.
//
// Throws Error: Unsupported (types, names that are not UTF-8), and in write() and close() Argument
// (nulls, texts that NumPy would change), Limit (texts that take far more bytes than they have).
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
extern const WriteSupport kWriteSupport;

}  // namespace heron::inline v0::npy
