#include "npy/text_cells.h"

#include <cstring>

#include "base/utf8.h"
#include "values/byte_order.h"
#include "values/cells.h"

namespace heron::inline v0::npy {
namespace {

// Appends texts to memory that holds the longest possible ones.
class TextAppender {
 public:
  TextAppender(uint64_t count, uint64_t bytes, Arena& arena)
      : offsets_(arena.allocate_array<int32_t>(count + 1)),
        characters_(arena.allocate_array<char>(bytes)),
        end_(characters_) {
    offsets_[0] = 0;
  }

  char* end() const noexcept { return end_; }
  // Ends text `i`, whose bytes were written up to `end`.
  void add(uint64_t i, char* end, const CellOrigin& origin) {
    const auto bytes = static_cast<uint64_t>(end - characters_);
    if (bytes > INT32_MAX) {
      origin.fail_at(ErrorKind::Limit, i, "the texts of these rows take more than ", INT32_MAX,
                     " bytes; read fewer rows at once");
    }
    offsets_[i + 1] = static_cast<int32_t>(bytes);
    end_ = end;
  }
  Values finish(uint64_t count) const {
    Values values(Type::Text, count);
    values.offsets = {reinterpret_cast<const std::byte*>(offsets_), (count + 1) * sizeof(int32_t)};
    values.data = {reinterpret_cast<const std::byte*>(characters_),
                   static_cast<uint64_t>(end_ - characters_)};
    return values;
  }

 private:
  int32_t* offsets_;
  char* characters_;
  char* end_;
};

class ByteTexts final : public CellDecoder {
 public:
  explicit ByteTexts(uint64_t width) : CellDecoder(Type::Text, width) {}

  Values decode(const std::byte* cells, uint64_t count, const CellOrigin& origin,
                Arena& arena) const override {
    TextAppender texts(count, count * width(), arena);
    for (uint64_t i = 0; i < count; ++i) {
      char* begin = texts.end();
      std::memcpy(begin, cells + i * width(), width());
      uint64_t bytes = width();
      while (bytes != 0 && begin[bytes - 1] == '\0') --bytes;
      texts.add(i, begin + bytes, origin);
    }
    return texts.finish(count);
  }
};

class Ucs4Texts final : public CellDecoder {
 public:
  Ucs4Texts(uint64_t width, std::endian order)
      : CellDecoder(Type::Text, width), is_swapped_(order != std::endian::native) {}

  Values decode(const std::byte* cells, uint64_t count, const CellOrigin& origin,
                Arena& arena) const override {
    TextAppender texts(count, count * width(), arena);
    const uint64_t characters = width() / sizeof(uint32_t);
    for (uint64_t i = 0; i < count; ++i) {
      const std::byte* cell = cells + i * width();
      uint64_t length = characters;
      while (length != 0 && load_cell<uint32_t>(cell, length - 1) == 0) --length;
      char* to = texts.end();
      for (uint64_t c = 0; c < length; ++c) {
        const auto stored = load_cell<uint32_t>(cell, c);
        const uint32_t code = is_swapped_ ? byte_reversed(stored) : stored;
        if (code < 0x80) {
          *to++ = static_cast<char>(code);
          continue;
        }
        if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
          origin.fail_at(ErrorKind::Corrupt, i, "character ", c,
                         ": expected a Unicode code point, got ", code);
        }
        to = write_utf8(code, to);
      }
      texts.add(i, to, origin);
    }
    return texts.finish(count);
  }

 private:
  bool is_swapped_;
};

}  // namespace

std::unique_ptr<const CellDecoder> text_cells(const Element& element) {
  if (element.width == 0 || element.width > INT32_MAX) return nullptr;
  if (element.kind == 'S') return std::make_unique<ByteTexts>(element.width);
  return std::make_unique<Ucs4Texts>(element.width, element.order);
}

}  // namespace heron::inline v0::npy
