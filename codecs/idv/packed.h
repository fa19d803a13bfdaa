// Reads numbers and texts stored without gaps, as in the contents of a file and of metadata, and in
// a codec's parameters.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "bytes/byte_source.h"

namespace heron::inline v0::idv {

// A position that advances to an end inside the file. Throws Error(Corrupt) if a value does not end
// before it; `part` names the part being read in errors. File and bytes must outlive the reader.
// One thread at a time.
class PackedReader {
 public:
  // Reads the file in pieces, the first of 4 KiB, each as long as all before it in total.
  PackedReader(const ByteSource& file, std::string part, uint64_t offset, uint64_t end,
               const Context& context)
      : file_(file), part_(std::move(part)), context_(&context), start_(offset), end_(end) {}
  // Reads bytes in memory, which come from `offset` of the file.
  PackedReader(const ByteSource& file, std::string part, uint64_t offset,
               std::span<const std::byte> bytes)
      : file_(file),
        part_(std::move(part)),
        start_(offset),
        end_(offset + bytes.size()),
        bytes_(bytes) {}
  PackedReader(const PackedReader&) = delete;
  PackedReader& operator=(const PackedReader&) = delete;

  // The number of bytes read, the file offset of the next byte, and the number of bytes left.
  uint64_t position() const noexcept { return position_; }
  uint64_t offset() const noexcept { return start_ + position_; }
  uint64_t left() const noexcept { return end_ - start_ - position_; }

  // Returns and skips the next bytes. Bytes read from the file live until the next call.
  std::span<const std::byte> next(uint64_t count, std::string_view what);
  template <class Stored>
  typename Stored::value_type cell(std::string_view what) {
    Stored stored;
    std::memcpy(&stored, next(sizeof stored, what).data(), sizeof stored);
    return stored.value();
  }
  uint8_t byte(std::string_view what) { return std::to_integer<uint8_t>(next(1, what)[0]); }
  // Reads a LEB128 number of up to 64 bits.
  uint64_t number(std::string_view what) { return leb128(10, 1, what); }
  // Reads a length of at most 31 bits and that many characters, which live as long as those of
  // next().
  std::string_view text(std::string_view what);

  // Returns all bytes read so far.
  std::vector<std::byte> take() && { return std::move(own_); }

  // "<file>: <part>: <what> at byte <here>: <parts>"
  template <class... Parts>
  [[noreturn]] void fail_here(ErrorKind kind, std::string_view what, const Parts&... parts) const {
    fail(kind, file_.name(), part_, ": ", what, " at byte ", offset(), ": ", parts...);
  }

 private:
  void fetch(uint64_t bytes);
  // Reads a LEB128 number of at most `most_bytes` bytes, the last of them at most `last`.
  uint64_t leb128(int most_bytes, uint8_t last, std::string_view what);

  const ByteSource& file_;
  std::string part_;
  const Context* context_ = nullptr;
  uint64_t start_;
  uint64_t end_;
  uint64_t position_ = 0;
  std::span<const std::byte> bytes_;
  std::vector<std::byte> own_;
};

}  // namespace heron::inline v0::idv
