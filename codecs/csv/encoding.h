// Text in other encodings, as UTF-8. Nothing is written anywhere: one way through the file tells
// how long each piece of it becomes, and what is read later is made anew from the pieces it lies
// in.
#pragma once

#include <memory>
#include <string>

#include "bytes/byte_source.h"
#include "heron/context.h"
#include "heron/csv.h"

namespace heron::inline v0::csv {

// A file as UTF-8, or as its bytes are if `encoding` is that or Bytes; notes on what was found are
// told. Of other encodings 8 bytes are kept for each 64 KiB. Throws Error: Io, Changed, Cancelled;
// Corrupt for halves of UTF-16; UnknownFormat for files that begin as other kinds of files do, and
// for UTF-32.
std::shared_ptr<const ByteSource> open_text(std::shared_ptr<const ByteSource> file,
                                            CsvEncoding encoding, const Context& context);

// The character that Windows-1252 means by a byte.
char32_t windows_1252(unsigned char byte) noexcept;

}  // namespace heron::inline v0::csv
