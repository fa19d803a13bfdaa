// Tests whether a value is null: by the encoding of its column, or because its key has a null
// value. A code without a value is damage, as it is for readers.
#include <limits>
#include <vector>

#include "columns/row_bits.h"
#include "filter/code_predicate.h"
#include "filter/value_predicate.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// Returns the set of all numbers of a type.
template <class T>
ValueSet any_number() {
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double,
                                  std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
  using Limits = std::numeric_limits<Wide>;
  if constexpr (std::is_floating_point_v<T>)
    return {std::vector<Interval<Wide>>{{-Limits::infinity(), Limits::infinity()}}, false};
  else
    return {std::vector<Interval<Wide>>{{Limits::min(), Limits::max()}}, false};
}

// Makes the test of cells that encode null: true for those that are not null.
std::unique_ptr<const ColumnPredicate> make_not_null_predicate(const Type& type) {
  if (type.is(Type::DateTimeOffset)) return make_value_predicate(any_number<int64_t>(), type);
  if (!has_number_cells(type)) return nullptr;
  return visit_cell_type(type,
                         [&]<class T>() { return make_value_predicate(any_number<T>(), type); });
}

// Tests whether a value is not null.
class NotNullPredicate final : public ColumnPredicate {
 public:
  explicit NotNullPredicate(const Type& type) : by_cell_(make_not_null_predicate(type)) {}

  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    if (zone.null_count == 0) return PruneResult::All;
    return zone.null_count == zone_rows ? PruneResult::None : PruneResult::Some;
  }
  std::optional<uint64_t> known_count(const Zone& zone, uint64_t zone_rows) const override {
    return zone_rows - zone.null_count;
  }

  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context& context) const override {
    if (!chunk.cells && chunk.values.type.is(Type::Null)) return keep_none(chunk.rows.rows(), rows);
    const CellSpan cells = cells_of(chunk);
    if (cells.can_encode_null()) return by_cell_->filter(chunk, rows, context);
    keep_valid(cells.validity, cells.rows, rows);
  }

 private:
  std::unique_ptr<const ColumnPredicate> by_cell_;
};

class IsNullPredicate final : public ColumnPredicate {
 public:
  explicit IsNullPredicate(std::unique_ptr<const ColumnPredicate> valid)
      : not_null_(std::move(valid)) {}

  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    switch (not_null_->prune(zone, zone_rows)) {
      case PruneResult::None: return PruneResult::All;
      case PruneResult::All: return PruneResult::None;
      default: return PruneResult::Some;
    }
  }
  std::optional<uint64_t> known_count(const Zone& zone, uint64_t zone_rows) const override {
    const auto valid = not_null_->known_count(zone, zone_rows);
    return valid ? std::optional(zone_rows - *valid) : std::nullopt;
  }

  ColumnChunk read(const Column& column, RowRange rows, Arena& arena,
                   const Context& context) const override {
    return not_null_->read(column, rows, arena, context);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context& context) const override {
    const uint64_t words = bit_words(chunk.rows.rows());
    std::vector<uint64_t> valid(rows, rows + words);
    not_null_->filter(chunk, valid.data(), context);
    for (uint64_t i = 0; i < words; ++i) rows[i] ^= valid[i];
  }

 private:
  std::unique_ptr<const ColumnPredicate> not_null_;
};

}  // namespace

std::unique_ptr<const ColumnPredicate> make_predicate(const IsNull& test, const Column& column,
                                                      const Context& context) {
  auto valid = make_coded(
      column, context, [](const Type& type) { return std::make_unique<NotNullPredicate>(type); });
  if (test.negated) return valid;
  return std::make_unique<IsNullPredicate>(std::move(valid));
}

}  // namespace heron::inline v0
