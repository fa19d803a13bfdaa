#include "npy/header.h"

#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "base/in_quotes.h"
#include "bytes/on_disk.h"
#include "npy/descr.h"
#include "npy/literal.h"

namespace heron::inline v0::npy {
namespace {

constexpr unsigned kLastVersion = 3;

// Reads bytes of the file that must exist.
template <size_t kCount>
std::array<std::byte, kCount> read_bytes(const ByteSource& bytes, uint64_t offset,
                                         const Context& context) {
  if (bytes.size() < kCount || offset > bytes.size() - kCount) {
    fail(ErrorKind::Corrupt, bytes.name(), "header at byte ", offset, ": expected ", kCount,
         " bytes, got ", bytes.size() - std::min(offset, bytes.size()),
         "; the file is cut short or damaged");
  }
  std::array<std::byte, kCount> read;
  bytes.read(offset, read, context);
  return read;
}

unsigned read_version(const ByteSource& bytes, const Context& context) {
  const auto head = read_bytes<kPreambleBytes>(bytes, 0, context);
  if (std::string_view(reinterpret_cast<const char*>(head.data()), kMagic.size()) != kMagic) {
    fail(ErrorKind::UnknownFormat, bytes.name(), "expected the magic \"\\x93NUMPY\", got others");
  }
  const auto major = std::to_integer<unsigned>(head[kMagic.size()]);
  const auto minor = std::to_integer<unsigned>(head[kMagic.size() + 1]);
  if (major == 0 || major > kLastVersion || minor != 0) {
    fail(ErrorKind::Unsupported, bytes.name(), "version at byte ", kMagic.size(),
         ": expected 1.0, 2.0 or 3.0, got ", major, '.', minor);
  }
  return major;
}

// Reads the header's text, and moves `offset` from its length to its first byte.
std::string read_text(const ByteSource& bytes, unsigned version, uint64_t& offset,
                      const Context& context) {
  uint64_t length = 0;
  if (version == 1) {
    length = load<u16le>(read_bytes<sizeof(u16le)>(bytes, offset, context).data());
    offset += sizeof(u16le);
  } else {
    length = load<u32le>(read_bytes<sizeof(u32le)>(bytes, offset, context).data());
    offset += sizeof(u32le);
  }
  if (length > bytes.size() - offset) {
    fail(ErrorKind::Corrupt, bytes.name(), "header at byte ", offset, ": expected ", length,
         " bytes, got ", bytes.size() - offset, "; the file is cut short or damaged");
  }
  if (length > kMaxHeaderBytes) {
    fail(ErrorKind::Limit, bytes.name(), "header at byte ", offset, ": expected at most ",
         kMaxHeaderBytes, " bytes, got ", length);
  }
  bytes.check_metadata_of(length, "header", offset);
  std::string text(length, '\0');
  bytes.read(offset, std::as_writable_bytes(std::span(text)), context);
  return text;
}

// Parses the dictionary, whose keys come in any order, each of them once.
void parse_dictionary(LiteralScanner& scanner, Header& header) {
  std::optional<ItemType> item;
  std::optional<bool> fortran_order;
  std::optional<std::vector<uint64_t>> shape;
  scanner.expect('{');
  while (scanner.peek() != '}') {
    const uint64_t at = scanner.at();
    const std::string key = scanner.text();
    scanner.expect(':');
    if (key == "descr" && !item) {
      scanner.peek();
      const uint64_t value = scanner.at();
      item = parse_descr(scanner);
      header.descr = scanner.since(value);
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = scanner.boolean();
    } else if (key == "shape" && !shape) {
      shape = parse_shape(scanner);
    } else {
      scanner.fail_at(ErrorKind::Corrupt, at,
                      "expected the keys descr, fortran_order and shape once, got ",
                      in_quotes(scanner.since(at)));
    }
    if (!scanner.take(',')) break;
  }
  scanner.expect('}');
  scanner.end();
  if (!item || !fortran_order || !shape) {
    scanner.fail_at(ErrorKind::Corrupt, 0, "expected a key ",
                    !item            ? "descr"
                    : !fortran_order ? "fortran_order"
                                     : "shape",
                    ", got none");
  }
  header.item = *std::move(item);
  header.fortran_order = *fortran_order;
  header.shape = *std::move(shape);
}

// Sets the size of the cells, after comparing it with that of the file.
void check_cells(const ByteSource& bytes, Header& header) {
  uint64_t expected = header.item.bytes;
  for (const uint64_t size : header.shape) expected = times(expected, size);
  if (std::ranges::count(header.shape, uint64_t{0}) != 0) expected = 0;
  const uint64_t room = bytes.size() - header.cells_offset;
  if (expected > room) {
    fail(ErrorKind::Corrupt, bytes.name(), "cells at byte ", header.cells_offset, ": expected ",
         expected, " bytes for the shape ", python_tuple(header.shape), " of items of ",
         header.item.bytes, " bytes, got ", room);
  }
  if (expected == 0 && header.rows() > kMaxRowsWithoutCells) {
    fail(ErrorKind::Limit, bytes.name(), "shape ", python_tuple(header.shape),
         ": expected at most ", kMaxRowsWithoutCells, " rows without cells, got ", header.rows());
  }
  header.cells_bytes = expected;
}

}  // namespace

Header read_header(const ByteSource& bytes, const Context& context) {
  const unsigned version = read_version(bytes, context);
  uint64_t offset = kPreambleBytes;
  const std::string text = read_text(bytes, version, offset, context);
  Header header;
  header.version = concat(version, ".0");
  LiteralScanner scanner(bytes.name(), text, offset, version == kLastVersion);
  parse_dictionary(scanner, header);
  header.cells_offset = offset + text.size();
  check_cells(bytes, header);
  return header;
}

}  // namespace heron::inline v0::npy
