#include "idv/header.h"

#include <cstddef>

#include "base/fail.h"

namespace heron::inline v0::idv {
namespace {

constexpr uint64_t kHeaderBytes = sizeof(Header);

template <class... Parts>
[[noreturn]] void fail_header(const ByteSource& file, ErrorKind kind, std::string_view what,
                              uint64_t offset, const Parts&... parts) {
  fail(kind, file.name(), what, " at byte ", offset, ": ", parts...);
}

void check_versions(const ByteSource& file, const Header& header) {
  const uint64_t own = header.version;
  const uint64_t compatible = header.compatible_version;
  constexpr uint64_t kAt = offsetof(Header, compatible_version);
  if (compatible > own) {
    fail_header(file, ErrorKind::Corrupt, "compatible version", kAt,
                "expected at most the version, ", version_text(own), ", got ",
                version_text(compatible));
  }
  if (own < kFirstVersion) {
    fail_header(file, ErrorKind::Unsupported, "version", offsetof(Header, version),
                "expected at least ", version_text(kFirstVersion), ", got ", version_text(own));
  }
  if (compatible < kOldestReadable || compatible > kVersion) {
    fail_header(file, ErrorKind::Unsupported, "compatible version", kAt, "expected ",
                version_text(kOldestReadable), " to ", version_text(kVersion), ", got ",
                version_text(compatible));
  }
}

uint64_t checked(const ByteSource& file, std::string_view what, uint64_t at, int64_t number,
                 uint64_t least, uint64_t most) {
  if (number < 0 || static_cast<uint64_t>(number) < least || static_cast<uint64_t>(number) > most) {
    fail_header(file, ErrorKind::Corrupt, what, at, "expected ", least, " to ", most, ", got ",
                number);
  }
  return static_cast<uint64_t>(number);
}

// The smallest entry has lengths of a name and of a codec's name and parameters, compression, rows,
// two offsets.
constexpr uint64_t kSmallestEntry = 1 + 1 + 1 + 1 + 1 + 8 + 8;

Entry next_entry(PackedReader& reader) {
  Entry entry;
  entry.name = reader.text("name");
  entry.codec = next_codec(reader);
  entry.compression = Compression{reader.byte("compression")};
  entry.block_rows = reader.number("rows per block");
  entry.lookup_offset = reader.cell<i64le>("lookup table offset");
  entry.metadata_offset = reader.cell<i64le>("metadata offset");
  return entry;
}

}  // namespace

std::string version_text(uint64_t version) {
  return concat(version >> 48, '.', version >> 32 & 0xFFFF, '.', version >> 16 & 0xFFFF, '.',
                version & 0xFFFF);
}

FileHeader read_header(const ByteSource& file, const Context& context) {
  if (file.size() < kHeaderBytes) {
    fail(ErrorKind::Corrupt, file.name(), "expected a header of ", kHeaderBytes, " bytes, got ",
         file.size(), " bytes");
  }
  Header stored;
  file.read(0, std::as_writable_bytes(std::span(&stored, 1)), context);
  if (stored.signature != kSignature) {
    fail_header(file, ErrorKind::UnknownFormat, "signature", 0, "expected that of a data view");
  }
  check_versions(file, stored);

  FileHeader header;
  header.version = stored.version;
  header.compatible_version = stored.compatible_version;
  header.rows =
      checked(file, "row count", offsetof(Header, rows), stored.rows, 0, uint64_t{INT64_MAX});
  header.columns = checked(file, "column count", offsetof(Header, columns), stored.columns, 0,
                           uint64_t{INT32_MAX});
  const uint64_t last_tail = file.size() - kTailBytes;
  header.tail_offset = checked(file, "tail offset", offsetof(Header, tail_offset),
                               stored.tail_offset, kHeaderBytes, last_tail);
  header.contents_offset = header.columns == 0
                               ? static_cast<uint64_t>(int64_t{stored.contents_offset})
                               : checked(file, "contents offset", offsetof(Header, contents_offset),
                                         stored.contents_offset, kHeaderBytes, header.tail_offset);
  u64le tail;
  file.read(header.tail_offset, std::as_writable_bytes(std::span(&tail, 1)), context);
  if (tail != kTail) {
    fail_header(file, ErrorKind::Corrupt, "tail", header.tail_offset,
                "expected the signature backwards; the file is cut short or damaged");
  }
  return header;
}

CodecDefinition next_codec(PackedReader& reader) {
  CodecDefinition codec;
  codec.name = reader.text("codec name");
  const uint64_t bytes = reader.number("length of codec parameters");
  codec.offset = reader.offset();
  codec.parameters = reader.next(bytes, "codec parameters");
  return codec;
}

Contents::Contents(const ByteSource& file, const FileHeader& header, const Context& context)
    : file_(file), offset_(header.contents_offset) {
  if (header.columns == 0) return;
  PackedReader reader(file, "contents", offset_, header.tail_offset, context);
  if (reader.left() / kSmallestEntry < header.columns) {
    reader.fail_here(ErrorKind::Corrupt, "first entry", "expected at least ", kSmallestEntry,
                     " bytes for each of ", header.columns, " columns, got ", reader.left());
  }
  starts_.reserve(header.columns);
  while (starts_.size() < header.columns) {
    starts_.push_back(reader.position());
    next_entry(reader);
  }
  bytes_ = std::move(reader).take();
}

Entry Contents::operator[](uint64_t column) const {
  const uint64_t start = starts_[column];
  PackedReader reader(file_, "contents", offset_ + start, std::span(bytes_).subspan(start));
  return next_entry(reader);
}

}  // namespace heron::inline v0::idv
