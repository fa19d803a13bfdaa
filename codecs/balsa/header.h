// Reads markers and dictionaries in sequence. All offsets and sizes are read here, in copies of a
// few hundred bytes: the pages of cells and nodes between them are not touched.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>

#include "balsa/layout.h"
#include "base/fail.h"
#include "bytes/byte_source.h"

namespace heron::inline v0::balsa {

// A position that advances through the file. Throws Error(Corrupt) if the file ends too soon;
// `what` names the part being read in errors. One thread at a time.
class HeaderReader {
 public:
  HeaderReader(const ByteSource& bytes, const Context& context)
      : bytes_(bytes), context_(context) {}

  uint64_t at() const noexcept { return at_; }
  uint64_t left() const noexcept { return bytes_.size() - at_; }
  const ByteSource& bytes() const noexcept { return bytes_; }
  std::endian order = std::endian::little;

  // Returns the next bytes, at most 516; next() also skips them. They live until the next call.
  std::string_view peek(uint64_t count, std::string_view what);
  std::string_view next(uint64_t count, std::string_view what) {
    const std::string_view bytes = peek(count, what);
    skip(count);
    return bytes;
  }
  // skip() advances over bytes that exist; go_to() moves to an offset in the file.
  void skip(uint64_t count) noexcept { at_ += count; }
  void go_to(uint64_t at) noexcept { at_ = at; }
  // Reads a marker. Throws Error(Corrupt) if the file has another one.
  void expect(std::string_view marker, std::string_view what);

  // "<file>: <what> at byte <at>: <parts>"
  template <class... Parts>
  [[noreturn]] void fail_at(ErrorKind kind, uint64_t at, std::string_view what,
                            const Parts&... parts) const {
    fail(kind, bytes_.name(), what, " at byte ", at, ": ", parts...);
  }
  // Rejects the early draft of the format, recognized by the bytes `met`.
  [[noreturn]] void fail_draft(uint64_t at, std::string_view what, std::string_view met) const;

 private:
  static constexpr uint64_t kMaxPeeked = 1 + 255 + 4 + 1 + 255;  // an entry of a dictionary
  // The bytes read at once hold the end of a tree, the next tree's dictionary and that of its first
  // table; more are read if the last read was near, because small objects follow each other.
  static constexpr uint64_t kDefault = 256;
  static constexpr uint64_t kNear = 1024;
  static_assert(kMaxPeeked <= kNear);

  const ByteSource& bytes_;
  const Context& context_;
  uint64_t at_ = 0;
  uint64_t start_ = 0;  // offset of the buffer in the file
  uint64_t kept_ = 0;
  std::array<char, kNear> buffer_;
};

// A key and its value, as views into the reader.
struct Entry {
  uint64_t at = 0;
  std::string_view key;
  std::string_view type_id;  // a defined type id
  std::string_view value;    // the characters of a strn

  uint32_t ui32(std::endian order) const noexcept;
  // Returns the value for error texts.
  std::string text(std::endian order) const;
};

// Reads a dictionary, entry by entry in file order.
class DictionaryReader {
 public:
  DictionaryReader(HeaderReader& reader, std::string_view what);

  // Returns false after the last entry and checks the end marker. Throws Error(Unsupported) for an
  // undefined type, because the length of its value is unknown.
  bool next(Entry& entry);

  // Takes the value of the entry if the entry has this key: the last of equal keys wins. Throws
  // Error(Corrupt) if the value is of another type, even if it would fit.
  void match(const Entry& entry, std::string_view key, std::optional<uint8_t>& ui08) const;
  void match(const Entry& entry, std::string_view key, std::optional<uint32_t>& ui32) const;
  void match(const Entry& entry, std::string_view key, std::optional<std::string>& strn) const;

  // Returns the value that match() took. Throws Error(Corrupt) if the key is absent.
  template <class T>
  const T& require(std::string_view key, const std::optional<T>& value) const {
    if (!value) {
      reader_.fail_at(ErrorKind::Corrupt, at_, what_, "expected a key \"", key, "\", got none");
    }
    return *value;
  }

 private:
  void refuse_draft();
  bool is(const Entry& entry, std::string_view key, std::string_view type_id) const;

  HeaderReader& reader_;
  std::string_view what_;
  uint64_t at_;
  uint32_t left_;
};

// Puts bytes in quotes, on one line: bytes that are not printable as \xNN.
std::string quoted(std::string_view bytes);

}  // namespace heron::inline v0::balsa
