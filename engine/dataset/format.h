// What a format is to the registry.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "bytes/byte_source.h"
#include "heron/dataset.h"
#include "heron/writer.h"

namespace heron::inline v0 {

// Whether the first bytes of a file are this format's. A lone Maybe is opened, and its Error is the
// answer.
enum class Match : uint8_t { No, Maybe, Yes };

struct Format {
  std::string_view name;
  std::string_view extension;  // with the dot; how create() knows what is meant
  std::string_view what;       // one line for people
  // How many first bytes of a file probe() wants to see.
  uint64_t probe_bytes;
  Match (*probe)(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
  // Reads headers only. Throws Error: Unsupported, Corrupt.
  std::shared_ptr<const Dataset> (*open)(std::shared_ptr<const ByteSource>, const OpenOptions&,
                                         const Context&);
  // Null: this format is only read.
  std::unique_ptr<Writer> (*create)(const std::string& path, const Schema&, const WriteOptions&,
                                    const Context&);
};

}  // namespace heron::inline v0
