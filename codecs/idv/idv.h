// IDV, the binary data views of ML.NET: blocks of rows of one column each, usually compressed,
// located by lookup tables. layout.h draws the file.
#pragma once

#include "format/format.h"

namespace heron::inline v0::idv {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, std::span<const std::byte> saved,
                                    const Context& context);
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
extern const WriteSupport kWriteSupport;

}  // namespace heron::inline v0::idv
