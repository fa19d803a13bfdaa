// jforests binary data sets, version 3: learning-to-rank data in columns. layout.h draws the file.
// There is no magic: a file that begins with the number 3 may be one, and open reports
// contradictions.
#pragma once

#include "format/format.h"

namespace heron::inline v0::jforests {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, std::span<const std::byte> saved,
                                    const Context& context);
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
extern const WriteSupport kWriteSupport;

}  // namespace heron::inline v0::jforests
