// The distinct values of a column whose cells are codes into a table.
#pragma once

#include "base/once.h"
#include "columns/column.h"
#include "values/bitmap.h"

namespace heron::inline v0 {

// Values 4 or 8 bytes wide, by code from 0. Immutable, thread-safe. A codec implements decode();
// this class decides whether to decode one value or all of them.
class Dictionary {
 public:
  virtual ~Dictionary() = default;
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  const Type& type() const noexcept { return type_; }
  uint64_t size() const noexcept { return size_; }

  // Decodes the values of `count` codes from `first` on, all below size(), to cells of type().
  virtual void decode(uint64_t first, uint64_t count, std::byte* cells,
                      const Context& context) const = 0;

  // The values of all codes but the last, which is null, if they are texts; these may be null, too.
  // Null: the values are cells.
  virtual const Values* texts() const noexcept { return nullptr; }

  // Returns the values of all codes; of texts those of all codes but the last. They live as long as
  // this; the first call decodes cells.
  Values values(const Context& context) const;

  // Prefetches what decode() needs for a code, valid or not; a hint.
  virtual void prefetch(uint64_t /*code*/) const noexcept {}

  // Returns the cells of all codes; codes of a byte are looked up unchecked while others may write
  // to the file, so zeros fill their cells up to 256. The first call decodes and keeps them, and
  // its budget is charged for the memory.
  const std::byte* cells(const Context& context) const;

 protected:
  Dictionary(Type type, uint64_t size) : type_(std::move(type)), size_(size) {}

 private:
  Type type_;
  uint64_t size_;
  mutable Once once_;
  mutable std::unique_ptr<Arena> arena_;
  mutable const std::byte* cells_ = nullptr;
};

// Texts as the values of codes, in memory that others keep: only Column::codes() refers to them.
class TextDictionary final : public Dictionary {
 public:
  explicit TextDictionary(Values texts)
      : Dictionary(texts.type, texts.rows + 1), texts_(std::move(texts)) {}

  const Values* texts() const noexcept override { return &texts_; }
  // Texts are no cells: never called.
  void decode(uint64_t, uint64_t, std::byte*, const Context&) const override {}

 private:
  Values texts_;
};

// Calls use(code_of) once; code_of(i) is the code of row i.
template <class Use>
void with_codes(const Values& codes, Use use) {
  const auto of_array = [&]<class Code>() {
    use([cells = codes.data.as<Code>()](uint64_t i) { return uint32_t{cells[i]}; });
  };
  switch (codes.type.id()) {
    case Type::Bool:
      return use([bits = codes.data.data](uint64_t i) { return uint32_t{get_bit(bits, i)}; });
    case Type::UInt8: return of_array.template operator()<uint8_t>();
    case Type::UInt16: return of_array.template operator()<uint16_t>();
    default: return of_array.template operator()<uint32_t>();
  }
}

}  // namespace heron::inline v0
