// An archive as a file: entries are opened at their first use.
#pragma once

#include <memory>
#include <string>

#include "format/format.h"

namespace heron::inline v0 {

// `format` is the archive's format, `bytes` hold the archive, and `containers` is the number of
// containers around an entry.
std::shared_ptr<const File> open_archive(std::shared_ptr<const Archive> archive,
                                            const Format& format,
                                            std::shared_ptr<const ByteSource> bytes,
                                            uint64_t containers, const OpenOptions& options,
                                            const Context& context);

// The first paths of the archive, for error texts.
std::string some_paths(const Archive& archive);

struct OpenedEntry {
  std::string format = {};  // format of the outermost bytes; empty: unknown
  // Null for bytes of unknown format, and for an archive, which only OpenOptions::entry opens.
  std::shared_ptr<const File> opened = nullptr;
};

// Opens the bytes of an entry, through their containers.
OpenedEntry open_entry(const std::shared_ptr<const ByteSource>& bytes, uint64_t containers,
                       const OpenOptions& options, const Context& context);

}  // namespace heron::inline v0
