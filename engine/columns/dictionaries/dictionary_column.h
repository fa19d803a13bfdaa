// Codes into a dictionary: every distinct value is stored once, every row a small number.
#pragma once

#include <memory>

#include "columns/dictionaries/dictionary.h"

namespace heron::inline v0 {

// The meaning of a code that is not below the dictionary's size.
enum class CodePastEnd : uint8_t { Corrupt, Zero /* the value 0 */ };

class DictionaryColumn final : public Column {
 public:
  // `codes` are flat, never null, of type bool (0 and 1), uint8, uint16 or uint32.
  DictionaryColumn(ColumnLabel label, ColumnPtr codes, std::shared_ptr<const Dictionary> dictionary,
                   CodePastEnd past_end = CodePastEnd::Corrupt)
      : Column(dictionary->type(), codes->rows(), std::move(label)),
        codes_(std::move(codes)),
        dictionary_(std::move(dictionary)),
        past_end_(past_end) {}

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  std::optional<ColumnCodes> codes(RowRange rows, Arena& arena,
                                   const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override { codes_->prefetch(rows); }
  std::optional<FlatCells> flat() const override;

 private:
  Values read_codes(RowRange rows, Arena& arena, const Context& context) const;
  bool take_mapped(std::span<const uint64_t> rows, Values& values, Arena& arena,
                   const Context& context) const;
  template <class CodesOf, class RowNumber>
  Values decoded(uint64_t rows, CodesOf codes_of, RowNumber row_number, Arena& arena,
                 const Context& context) const;
  template <class RowNumber>
  void decode(const Values& codes, RowNumber row_number, std::byte* cells,
              const Context& context) const;
  void decode_one(uint32_t code, uint64_t row, std::byte* cell, const Context& context) const;

  ColumnPtr codes_;
  std::shared_ptr<const Dictionary> dictionary_;
  CodePastEnd past_end_;
};

}  // namespace heron::inline v0
