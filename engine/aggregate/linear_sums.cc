#include "aggregate/linear_sums.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "aggregate/group_results.h"
#include "base/arena.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// Reads a result of integers: int64, uint64 or int128, and extremes of any integer type.
Int128 whole_of(const Values& values, uint64_t row) {
  if (values.type.is(Type::Int128)) return cell_of<Int128>(values, row);
  return visit_cell_type(values.type, [&]<class T>() -> Int128 {
    if constexpr (std::is_integral_v<T>)
      return cell_of<T>(values, row);
    else
      return 0;
  });
}

// Returns whether int64 holds the results for the extremes of x, and so for all values between
// them.
bool fits(const LinearForm& form, const Values& low, const Values& high) {
  for (uint64_t row = 0; row < low.rows; ++row) {
    if (low.is_null(row)) continue;
    for (const Values* one : {&low, &high}) {
      Int128 result = 0;
      if (__builtin_mul_overflow(form.factor, whole_of(*one, row), &result) ||
          __builtin_add_overflow(form.offset, result, &result) || result < INT64_MIN ||
          result > INT64_MAX) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

LinearSums::LinearSums(std::span<const Aggregate> aggregates,
                       std::span<const std::optional<LinearForm>> forms)
    : aggregates_(aggregates.begin(), aggregates.end()), forms_(forms.begin(), forms.end()) {
  for (uint64_t i = 0; i < aggregates_.size(); ++i) {
    Source& source = sources_.emplace_back();
    const std::optional<uint64_t> column = aggregates_[i].column;
    if (!forms_[i]) {
      source.result = computed_.size();
      computed_.push_back(aggregates_[i]);
      continue;
    }
    source.result = add({.function = Aggregate::Function::Sum, .column = column});
    source.count = add({.function = Aggregate::Function::Count, .column = column});
    if (forms_[i]->always_fits) continue;
    source.low = add({.function = Aggregate::Function::Min, .column = column});
    source.high = add({.function = Aggregate::Function::Max, .column = column});
  }
}

uint64_t LinearSums::add(Aggregate one) {
  const auto known = std::find_if(computed_.begin(), computed_.end(), [&](const Aggregate& other) {
    return other.function == one.function && other.column == one.column;
  });
  const auto at = static_cast<uint64_t>(known - computed_.begin());
  if (known == computed_.end()) computed_.push_back(std::move(one));
  return at;
}

Values LinearSums::linear_result(uint64_t i, std::span<const Values> computed,
                                 Arena& arena) const {
  const LinearForm& form = *forms_[i];
  const Values& sums = computed[sources_[i].result];
  const Values& counts = computed[sources_[i].count];
  const bool is_mean = aggregates_[i].function == Aggregate::Function::Mean;
  Values results = sums;  // results are null where sums are
  results.type = is_mean ? Type::Float64 : Type::Int128;
  std::byte* const cells = arena.allocate(sums.rows * results.type.width());
  results.data = {cells, sums.rows * results.type.width()};
  for (uint64_t row = 0; row < sums.rows; ++row) {
    const auto count = counts.get<uint64_t>(row);
    // The sum is below 2^127, because each result that it adds fits int64.
    const Int128 sum =
        count == 0 ? 0
                   : form.factor * whole_of(sums, row) + form.offset * static_cast<Int128>(count);
    if (is_mean) {
      const double mean =
          count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
      std::memcpy(cells + row * sizeof mean, &mean, sizeof mean);
    } else {
      std::memcpy(cells + row * sizeof sum, &sum, sizeof sum);
    }
  }
  return is_mean ? results : narrowed(results, arena);
}

bool LinearSums::any() const noexcept {
  return std::any_of(forms_.begin(), forms_.end(),
                     [](const auto& form) { return form.has_value(); });
}

std::optional<RowBatch> LinearSums::results(RowBatch batch) const {
  if (!any()) return batch;
  const uint64_t keys = batch.columns.size() - computed_.size();
  const std::span<const Values> computed = std::span(batch.columns).subspan(keys);
  const auto fits_all = [&](uint64_t i) {
    return !forms_[i] || forms_[i]->always_fits ||
           fits(*forms_[i], computed[sources_[i].low], computed[sources_[i].high]);
  };
  std::vector<Values> columns(batch.columns.begin(),
                              batch.columns.begin() + static_cast<ptrdiff_t>(keys));
  auto schema = std::make_shared<Schema>(batch.schema->begin(),
                                         batch.schema->begin() + static_cast<ptrdiff_t>(keys));
  for (uint64_t i = 0; i < aggregates_.size(); ++i) {
    if (!fits_all(i)) return std::nullopt;
    columns.push_back(forms_[i] ? linear_result(i, computed, *batch.memory)
                                : computed[sources_[i].result]);
    schema->push_back(field_of(aggregates_[i].name, columns.back()));
  }
  batch.columns = std::move(columns);
  batch.schema = std::move(schema);
  return batch;
}

}  // namespace heron::inline v0
