// Arrow IPC: record batches of columns, as a file with a footer (also known as Feather, version 2)
// or as a stream of messages. layout.h draws both, arrow_ipc.fbs has their metadata.
#pragma once

#include "format/format.h"

namespace heron::inline v0::arrow_ipc {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                 const OpenOptions& options, std::span<const std::byte> saved,
                                 const Context& context);
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
extern const WriteSupport kWriteSupport;

}  // namespace heron::inline v0::arrow_ipc
