// Columns whose values are made from those of other columns when they are read: numbers in another
// unit, rows of a fixed number of bytes or items, codes into a dictionary, keys.
#pragma once

#include <memory>
#include <optional>

#include "base/once.h"
#include "columns/column.h"
#include "columns/dictionaries/dictionary.h"
#include "columns/dictionaries/key_column.h"

namespace heron::inline v0::arrow_ipc {

// Integers x multiply / divide, which must be exact.
class ScaledColumn final : public Column {
 public:
  // `numbers` are int64; `type` has cells of int64, or of int32.
  ScaledColumn(Type type, ColumnLabel label, ColumnPtr numbers, int64_t multiply, int64_t divide,
               const ByteSource& file)
      : Column(std::move(type), numbers->rows(), std::move(label)),
        numbers_(std::move(numbers)),
        multiply_(multiply),
        divide_(divide),
        file_(file) {}

  bool nullable() const noexcept override { return numbers_->nullable(); }
  // Both throw Error(Limit) for a value that the type cannot hold.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override {
    numbers_->locate(rows, round, bytes, context);
  }
  void prefetch(std::span<const uint64_t> rows) const noexcept override {
    numbers_->prefetch(rows);
  }

 private:
  template <class RowNumber>
  Values scaled(const Values& numbers, RowNumber row_number, Arena& arena) const;

  ColumnPtr numbers_;
  int64_t multiply_, divide_;
  const ByteSource& file_;
};

// Decimals stored as int32 or int64.
class WidenedColumn final : public Column {
 public:
  WidenedColumn(Type type, ColumnLabel label, ColumnPtr units)
      : Column(std::move(type), units->rows(), std::move(label)), units_(std::move(units)) {}

  bool nullable() const noexcept override { return units_->nullable(); }
  Values read(RowRange rows, Arena& arena, const Context& context) const override {
    return widened(units_->read(rows, arena, context), arena);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena,
              const Context& context) const override {
    return widened(units_->take(rows, arena, context), arena);
  }
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override {
    units_->locate(rows, round, bytes, context);
  }
  void prefetch(std::span<const uint64_t> rows) const noexcept override { units_->prefetch(rows); }

 private:
  Values widened(const Values& units, Arena& arena) const;

  ColumnPtr units_;
};

// Where the validity bitmap of rows is; without bytes, no row is null.
struct RowValidity {
  ByteView bits;
  bool has_nulls = false;
};

// Bytes of a fixed number a row, as large binary.
class FixedBinaryColumn final : public Column {
 public:
  // `bytes` has at least rows x width bytes, fewer than 2^63.
  FixedBinaryColumn(uint64_t rows, ColumnLabel label, uint64_t width, ByteView bytes,
                    RowValidity validity)
      : Column(Type::LargeBinary, rows, std::move(label)),
        width_(width),
        bytes_(bytes),
        validity_(validity) {}

  bool nullable() const noexcept override { return validity_.has_nulls; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;

 private:
  uint64_t width_;
  ByteView bytes_;
  RowValidity validity_;
};

// Datetimeoffsets of two columns: instants in nanoseconds, and the minutes that the clock was ahead.
class LocalTimeColumn final : public Column {
 public:
  // `instants` have cells of int64, `minutes` of int16.
  LocalTimeColumn(ColumnLabel label, ColumnPtr instants, ColumnPtr minutes, RowValidity validity)
      : Column(Type::DateTimeOffset, instants->rows(), std::move(label)),
        instants_(std::move(instants)),
        minutes_(std::move(minutes)),
        validity_(validity) {}

  bool nullable() const noexcept override { return validity_.has_nulls; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;

 private:
  ColumnPtr instants_, minutes_;
  RowValidity validity_;
};

// A fixed number of items a row, as large lists.
class FixedListColumn final : public Column {
 public:
  // `items` has at least rows x length rows, fewer than 2^63.
  FixedListColumn(uint64_t rows, ColumnLabel label, uint64_t length, ColumnPtr items,
                  RowValidity validity)
      : Column(Type::list(items->type(), true), rows, std::move(label)),
        length_(length),
        items_(std::move(items)),
        validity_(validity) {}

  bool nullable() const noexcept override { return validity_.has_nulls; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;

 private:
  void check_count(uint64_t rows) const;

  uint64_t length_;
  ColumnPtr items_;
  RowValidity validity_;
};

// The values of a dictionary, read at first use. Thread-safe.
class DictionaryValues {
 public:
  // `load` reads all values into the arena.
  using Load = std::function<Values(Arena&, const Context&)>;
  explicit DictionaryValues(Load load) : load_(std::move(load)) {}

  const Values& values(const Context& context) const {
    once_.run([&] {
      auto arena = std::make_unique<Arena>(context.memory);
      values_ = load_(*arena, context);
      arena_ = std::move(arena);
    });
    return values_;
  }
  // The values as a dictionary of texts, if they are texts.
  const Dictionary& texts(const Context& context) const {
    const Values& all = values(context);
    texts_once_.run([&] { texts_.emplace(all); });
    return *texts_;
  }

 private:
  Load load_;
  mutable Once once_, texts_once_;
  mutable std::optional<TextDictionary> texts_;
  mutable std::unique_ptr<Arena> arena_;
  mutable Values values_;
};

// Codes into a dictionary: integers, from 0, of any width.
class CodesColumn : public Column {
 public:
  // Both throw Error(Corrupt) for a code that is not below the size of the dictionary.
  Values read(RowRange rows, Arena& arena, const Context& context) const final;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const final;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const final {
    codes_->locate(rows, round, bytes, context);
  }
  void prefetch(std::span<const uint64_t> rows) const noexcept final { codes_->prefetch(rows); }

 protected:
  CodesColumn(Type type, ColumnLabel label, ColumnPtr codes, const ByteSource& file)
      : Column(std::move(type), codes->rows(), std::move(label)),
        codes_(std::move(codes)),
        file_(file) {}

  const Column& codes_column() const noexcept { return *codes_; }

 private:
  virtual uint64_t dictionary_size(const Context& context) const = 0;
  // Sets the rows of codes. Returns the first row whose code is not below dictionary_size().
  virtual std::optional<uint64_t> decode(const Values& codes, Values& rows, Arena& arena,
                                         const Context& context) const = 0;

  template <class RowNumber>
  Values decoded(const Values& codes, RowNumber row_number, Arena& arena,
                 const Context& context) const;

  ColumnPtr codes_;
  const ByteSource& file_;
};

// Codes read as the values of the dictionary.
class CodedColumn final : public CodesColumn {
 public:
  CodedColumn(Type type, ColumnLabel label, ColumnPtr codes,
              std::shared_ptr<const DictionaryValues> dictionary, bool nullable,
              const ByteSource& file)
      : CodesColumn(std::move(type), std::move(label), std::move(codes), file),
        dictionary_(std::move(dictionary)),
        nullable_(nullable) {}

  bool nullable() const noexcept override { return nullable_; }
  // Returns codes of texts only; the arena has them.
  std::optional<ColumnCodes> codes(RowRange rows, Arena& arena,
                                   const Context& context) const override;

 private:
  uint64_t dictionary_size(const Context& context) const override;
  std::optional<uint64_t> decode(const Values& codes, Values& rows, Arena& arena,
                                 const Context& context) const override;

  std::shared_ptr<const DictionaryValues> dictionary_;
  bool nullable_;
};

// Codes into an ordered dictionary, read as keys with its values: code + 1. An arena with rows
// keeps the values alive.
class KeyCodesColumn final : public CodesColumn {
 public:
  // `type` is a key whose numbers hold all codes of `values`.
  KeyCodesColumn(Type type, ColumnLabel label, ColumnPtr codes,
                 std::shared_ptr<const KeyValues> values, const ByteSource& file)
      : CodesColumn(std::move(type), std::move(label), std::move(codes), file),
        values_(std::move(values)) {}

  bool nullable() const noexcept override { return codes_column().nullable(); }
  const KeyValues* key_values() const noexcept override { return values_.get(); }

 private:
  uint64_t dictionary_size(const Context& context) const override;
  std::optional<uint64_t> decode(const Values& codes, Values& rows, Arena& arena,
                                 const Context& context) const override;

  std::shared_ptr<const KeyValues> values_;
};

}  // namespace heron::inline v0::arrow_ipc
