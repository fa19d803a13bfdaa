// Whether a value is missing.
#include <limits>
#include <vector>

#include "columns/cells.h"
#include "query/row_bits.h"
#include "query/value_test.h"

namespace heron::inline v0 {
namespace {

// All that a number can be.
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

// For cells that tell by themselves that they are missing: true for those that are not.
std::unique_ptr<const ColumnTest> make_there_test(const Type& type) {
  if (type.is(Type::DateTimeOffset)) return make_value_test(any_number<int64_t>(), type);
  if (!has_number_cells(type)) return nullptr;
  return visit_cell_type(type, [&]<class T>() { return make_value_test(any_number<T>(), type); });
}

class MissingTest final : public ColumnTest {
 public:
  MissingTest(const Type& type, bool negated) : there_(make_there_test(type)), negated_(negated) {}

  Outcome outcome(const Zone& zone, uint64_t zone_rows) const override {
    if (zone.missing != 0 && zone.missing != zone_rows) return Outcome::Some;
    return (zone.missing == 0) == negated_ ? Outcome::All : Outcome::None;
  }

  void narrow(const ColumnPiece& piece, uint64_t* rows, const Context& context) const override {
    const uint64_t words = bitmap_words(piece.rows.rows());
    std::vector<uint64_t> there(rows, rows + words);
    keep_values(piece, there.data(), context);
    for (uint64_t i = 0; i < words; ++i) rows[i] = negated_ ? there[i] : rows[i] ^ there[i];
  }

 private:
  void keep_values(const ColumnPiece& piece, uint64_t* rows, const Context& context) const {
    if (!piece.cells && piece.values.type.is(Type::Null)) return keep_none(piece.rows.rows(), rows);
    const CellSpan cells = cells_of(piece);
    const bool by_cell =
        cells.missing != MissingRule::Never && cells.missing != MissingRule::Bitmap;
    by_cell ? there_->narrow(piece, rows, context) : keep_there(cells, rows);
  }

  std::unique_ptr<const ColumnTest> there_;
  bool negated_;
};

}  // namespace

std::unique_ptr<const ColumnTest> make_test(const IsMissing& test, const Column& column,
                                            const Context&) {
  return std::make_unique<MissingTest>(column.type(), test.negated);
}

}  // namespace heron::inline v0
