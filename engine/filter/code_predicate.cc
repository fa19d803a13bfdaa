// A column predicate tests stored values directly; for codes or keys, it decides each distinct
// value once, and then tests rows by their codes.
#include "filter/code_predicate.h"

#include <bit>
#include <vector>

#include "columns/dictionaries/dictionary.h"
#include "columns/dictionaries/key_column.h"
#include "columns/row_bits.h"
#include "filter/range_kernels.h"
#include "filter/value_predicate.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// Returns the index of the first bit from `at` on that equals `bit`, or the end of all words;
// unused bits of the last word are 0.
uint64_t first_bit(const std::vector<uint64_t>& words, uint64_t at, bool bit) {
  for (; at / 64 < words.size(); at = (at / 64 + 1) * 64) {
    const uint64_t word = (bit ? words[at / 64] : ~words[at / 64]) >> at % 64;
    if (word != 0) return at + static_cast<uint64_t>(std::countr_zero(word));
  }
  return at;
}

// Returns a bit for each value, set if it passes a test.
std::vector<uint64_t> true_values(const ColumnPredicate& test, const Values& values,
                                  const Context& context) {
  std::vector<uint64_t> rows;
  set_first_bits(rows, values.rows);
  ColumnChunk chunk;
  chunk.rows = {0, values.rows};
  chunk.values = values;
  test.filter(chunk, rows.data(), context);
  return rows;
}

// Returns the codes whose values pass a test, as intervals; `first` is the code of the first value.
ValueSet true_codes(const ColumnPredicate& test, const Values& values, uint64_t first,
                    const Context& context) {
  const std::vector<uint64_t> rows = true_values(test, values, context);
  std::vector<Interval<uint64_t>> runs;
  for (uint64_t row = first_bit(rows, 0, true); row < values.rows;) {
    const uint64_t end = first_bit(rows, row, false);
    runs.push_back({first + row, first + end - 1});
    row = first_bit(rows, end, true);
  }
  return {std::move(runs), false};
}

// Returns the largest code of `cells`, which has at least one.
uint64_t largest_of(const CellSpan& cells) {
  if (cells.type.is(Type::Bool)) return count_clear(cells.cells, cells.rows) != cells.rows;
  uint64_t largest = 0;
  for_native_cells(cells, [&](const std::byte* native, uint64_t, uint64_t rows) {
    visit_cell_type(cells.type, [&]<class T>() {
      if constexpr (std::is_unsigned_v<T>) {
        largest = std::max<uint64_t>(
            largest, dispatch<LargestCell<T>>(reinterpret_cast<const T*>(native), rows));
      }
    });
  });
  return largest;
}

class CodePredicate final : public ColumnPredicate {
 public:
  // `on_codes` is for codes below `end`; `on_values` for the values that Column::read makes of
  // other codes.
  CodePredicate(const Column& column, std::unique_ptr<const ColumnPredicate> on_codes,
                std::unique_ptr<const ColumnPredicate> on_values, uint64_t end)
      : column_(column),
        on_codes_(std::move(on_codes)),
        on_values_(std::move(on_values)),
        end_(end) {}

  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    if (zone.has_bounds() && zone.high >= end_) return PruneResult::Some;
    return on_codes_->prune(zone, zone_rows);
  }

  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context& context) const override {
    if (!has_code_past_end(chunk)) return on_codes_->filter(chunk, rows, context);
    Arena arena(context.memory);
    ColumnChunk values;
    values.rows = chunk.rows;
    values.values = column_.read(chunk.rows, arena, context);
    on_values_->filter(values, rows, context);
  }
  std::optional<uint64_t> count(const ColumnChunk& chunk, const Context& context) const override {
    return has_code_past_end(chunk) ? std::nullopt : on_codes_->count(chunk, context);
  }

 private:
  // A known largest code may belong to more rows than the chunk's: only the codes themselves show
  // whether one is too large.
  bool has_code_past_end(const ColumnChunk& chunk) const {
    if (chunk.largest_code && *chunk.largest_code < end_) return false;
    return largest_of(cells_of(chunk)) >= end_;
  }

  const Column& column_;
  std::unique_ptr<const ColumnPredicate> on_codes_;
  std::unique_ptr<const ColumnPredicate> on_values_;
  uint64_t end_;  // end of the codes that have a value
};

// Deciding more texts than this may take longer than testing the rows.
constexpr uint64_t kMaxDecided = 65'536;

// Tests texts. If the first rows that are read have codes, rows with the same dictionary are tested
// by these: each text of the dictionary is decided once.
class TextCodePredicate final : public ColumnPredicate {
 public:
  explicit TextCodePredicate(std::unique_ptr<const ColumnPredicate> on_texts)
      : on_texts_(std::move(on_texts)) {}

  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return on_texts_->prune(zone, zone_rows);
  }
  std::optional<uint64_t> known_count(const Zone& zone, uint64_t zone_rows) const override {
    return on_texts_->known_count(zone, zone_rows);
  }

  ColumnChunk read(const Column& column, RowRange rows, Arena& arena,
                   const Context& context) const override {
    const auto codes = column.codes(rows, arena, context);
    if (!codes || !decides(*codes, column, context)) return column.chunk(rows, arena, context);
    ColumnChunk chunk;
    chunk.rows = rows;
    chunk.cells = {.type = codes->codes.type,
                   .rows = rows.rows(),
                   .cells = codes->codes.data.data,
                   .dictionary = codes->dictionary};
    chunk.bytes = rows.rows() * codes->codes.type.width();
    return chunk;
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context& context) const override {
    if (!chunk.cells) return on_texts_->filter(chunk, rows, context);
    dispatch<KeepCells<uint32_t, InTable<uint32_t>>>(chunk.cells->cells, chunk.cells->rows,
                                                     InTable<uint32_t>{passing_.get()}, rows);
  }

 private:
  bool decides(const ColumnCodes& codes, const Column& column, const Context& context) const {
    const Values* texts = codes.dictionary->texts();
    if (texts == nullptr || !codes.codes.type.is(Type::UInt32)) return false;
    once_.run([&] {
      dictionary_ = codes.dictionary;
      if (dictionary_->size() > std::min(kMaxDecided, column.rows())) return;
      const std::vector<uint64_t> are_true = true_values(*on_texts_, *texts, context);
      passing_ = std::make_unique<bool[]>(dictionary_->size());
      for (uint64_t code = 0; code < texts->rows; ++code) {
        passing_[code] = (are_true[code / 64] >> code % 64 & 1) != 0;
      }
    });
    return codes.dictionary == dictionary_ && passing_ != nullptr;
  }

  const std::unique_ptr<const ColumnPredicate> on_texts_;
  mutable Once once_;
  mutable const Dictionary* dictionary_ = nullptr;
  mutable std::unique_ptr<bool[]> passing_;  // for each code; null: too many texts
};

}  // namespace

std::unique_ptr<const ColumnPredicate> make_coded(
    const Column& column, const Context& context,
    const std::function<std::unique_ptr<const ColumnPredicate>(const Type&)>& make) {
  const auto coded = [&](const Values& values, uint64_t first, const Type& codes) {
    auto on_values = make(values.type);
    auto on_codes = make_value_predicate(true_codes(*on_values, values, first, context), codes);
    return std::make_unique<CodePredicate>(column, std::move(on_codes), std::move(on_values),
                                           first + values.rows);
  };
  if (const KeyValues* keys = column.key_values()) {
    return coded(keys->values(context), 1, column.type());
  }
  if (column.type().is_text()) {
    return std::make_unique<TextCodePredicate>(make(column.type()));
  }
  const std::optional<FlatCells> flat = column.flat();
  if (!flat || flat->dictionary == nullptr) return make(column.type());
  return coded(flat->dictionary->values(context), 0, code_type(*flat));
}

std::unique_ptr<const ColumnPredicate> make_predicate(const InSet& test, const Column& column,
                                                      const Context& context) {
  return make_coded(column, context,
                    [&](const Type& type) { return make_value_predicate(test.set, type); });
}

std::unique_ptr<const ColumnPredicate> make_predicate(const IsLike& test, const Column& column,
                                                      const Context& context) {
  return make_coded(column, context,
                    [&](const Type&) { return make_like_predicate(test.pattern, test.negated); });
}

}  // namespace heron::inline v0
