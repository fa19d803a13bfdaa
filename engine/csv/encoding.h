// Presents text in other encodings as UTF-8. Nothing is written: one pass over the file measures
// the UTF-8 of each piece, and reads convert the pieces that they need.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"
#include "heron/context.h"
#include "heron/csv.h"

namespace heron::inline v0::csv {

// A file as UTF-8, or unchanged if `encoding` is Utf8 or Bytes; Context::note reports what was
// found. For other encodings keeps 8 bytes per 64 KiB. Throws Error: Io, Changed, Cancelled;
// Corrupt for unpaired surrogates or half a unit of UTF-16; UnknownFormat for files that begin as
// other kinds of files do, and for UTF-32.
std::shared_ptr<const ByteSource> open_text(const std::string& path, CsvEncoding encoding,
                                            const Context& context);

// The character of a byte in Windows-1252.
char32_t windows_1252(unsigned char byte) noexcept;

}  // namespace heron::inline v0::csv
