// Jay, the file format of h2o datatable frames: column buffers first, one FlatBuffers record at the
// end. layout.h draws the file, jay.fbs the record.
#pragma once

#include "format/format.h"

namespace heron::inline v0::jay {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, std::span<const std::byte> saved,
                                    const Context& context);
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
extern const WriteSupport kWriteSupport;

}  // namespace heron::inline v0::jay
