// Reads text in other encodings as UTF-8. No copy is written: one pass over the file finds how long
// each piece of it becomes, and later reads convert the pieces that they touch again.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"
#include "heron/context.h"
#include "heron/csv.h"

namespace heron::inline v0::csv {

// Opens a file and decodes it to UTF-8, or leaves its bytes unchanged if `encoding` is UTF-8 or
// Bytes; notes report the detected encoding. Other encodings take 8 bytes of memory for each 64
// KiB. Throws Error: Io, Changed, Cancelled; Corrupt for halves of UTF-16; UnknownFormat for files
// that begin as other kinds of files do, and for UTF-32.
std::shared_ptr<const ByteSource> open_text(std::shared_ptr<const ByteSource> file,
                                            CsvEncoding encoding, const Context& context);

// Returns the character that a byte means in Windows-1252.
char32_t windows_1252(unsigned char byte) noexcept;

}  // namespace heron::inline v0::csv
