#include "convert/trial.h"

#include <algorithm>
#include <cmath>

#include "bytes/byte_source.h"
#include "convert/number_types.h"

namespace heron::inline v0 {
namespace {

// The range of numbers of one type; empty if least is above largest.
template <class T>
struct Extremes {
  T least = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                 : std::numeric_limits<T>::max();
  T largest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                   : std::numeric_limits<T>::lowest();
  bool has_fraction = false;

  HERON_INLINE void add(T value) {
    least = value < least ? value : least;
    largest = value > largest ? value : largest;
    // The difference of infinities or NaNs is a NaN, which is not above 0.
    if constexpr (std::is_floating_point_v<T>) has_fraction |= value - std::floor(value) > 0;
  }
};

template <class T>
struct FindExtremes {
  HERON_INLINE static Extremes<T> run(const T* cells, uint64_t count) {
    Extremes<T> extremes;
    for (uint64_t i = 0; i < count; ++i) extremes.add(cells[i]);
    return extremes;
  }
};

template <class T>
Extremes<T> extremes_of(const Values& values) {
  if constexpr (!std::is_same_v<T, bool>) {
    if (values.null_count == 0) return dispatch<FindExtremes<T>>(values.data.as<T>(), values.rows);
  }
  Extremes<T> extremes;
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (values.is_null(row)) continue;
    if constexpr (std::is_same_v<T, bool>) {
      extremes.add(values.get_bool(row));
    } else {
      extremes.add(cell_of<T>(values, row));
    }
  }
  return extremes;
}

// Widens the range by the bools, integers or floats that are neither null nor NaN.
void widen(std::optional<NumberRange>& range, const Values& values) {
  visit_number_type(values.type, [&]<class T>() {
    const Extremes<T> extremes = extremes_of<T>(values);
    if (extremes.least > extremes.largest) return;
    const auto least = static_cast<double>(extremes.least);
    const auto largest = static_cast<double>(extremes.largest);
    if (!range) range = NumberRange{least, largest, true};
    range->least = std::min(range->least, least);
    range->largest = std::max(range->largest, largest);
    range->whole &= !extremes.has_fraction && std::isfinite(least) && std::isfinite(largest);
  });
}

bool any_null(const Values& values) {
  return values.null_count != 0 ||
         (values.type.is_nested() &&
          std::any_of(values.children.begin(), values.children.end(), any_null));
}

bool has_null_items(const Values& values, uint64_t row);

bool is_or_has_null(const Values& values, uint64_t row) {
  return values.is_null(row) || has_null_items(values, row);
}

bool has_null_items(const Values& values, uint64_t row) {
  if (!values.type.is_nested()) return false;
  const Values& lists = values.type.is(Type::Vector) ? values.children[0] : values;
  for (uint64_t item = lists.extent(row); item < lists.extent(row + 1); ++item) {
    if (is_or_has_null(lists.children[0], item)) return true;
  }
  return false;
}

// The first of these rows with a null that rules the candidate out.
std::optional<CastFault> first_null(const Candidate& candidate, const Values& values,
                                    uint64_t rows) {
  if (!any_null(values)) return std::nullopt;
  for (uint64_t row = 0; row < rows; ++row) {
    if (values.is_null(row)) {
      if (!candidate.null_fits) return CastFault{row, "null"};
    } else if (!candidate.null_items_fit && has_null_items(values, row)) {
      return CastFault{row, "partly null"};
    }
  }
  return std::nullopt;
}

template <class T>
std::optional<CastFault> first_nan_of(const Values& values) {
  const T* const cells = values.data.as<T>();
  for (uint64_t row = 0; row < values.rows; ++row) {
    if (cells[row] != cells[row] && !values.is_null(row)) return CastFault{row, "NaN"};
  }
  return std::nullopt;
}

std::optional<CastFault> first_nan(const Values& values) {
  if (values.type.is(Type::Float32)) return first_nan_of<float>(values);
  if (values.type.is(Type::Float64)) return first_nan_of<double>(values);
  return std::nullopt;
}

void try_cast(Candidate& candidate, const Values& values, uint64_t first_row, Arena& arena) {
  if (candidate.fault) return;
  arena.reset();
  Values cast_values;
  candidate.fault = cast(values, candidate.type, NullFloat::Keep, arena, cast_values);
  if (!candidate.null_fits || !candidate.null_items_fit) {
    const auto nulls = candidate.fault ? first_null(candidate, values, candidate.fault->row)
                                       : first_null(candidate, cast_values, cast_values.rows);
    if (nulls) candidate.fault = nulls;
  }
  if (!candidate.fault && !candidate.nan_fits) candidate.fault = first_nan(cast_values);
  if (candidate.fault) candidate.fault->row += first_row;
}

// A column that is not of numbers, such as a key, is cast to a number first.
void widen_range(Trial& trial, const Values& values, Arena& arena) {
  if (is_number(values.type)) return widen(trial.range, values);
  for (const Candidate& candidate : trial.candidates) {
    if (candidate.fault || !is_number(candidate.type)) continue;
    arena.reset();
    Values numbers;
    cast(values, candidate.type, NullFloat::Keep, arena, numbers);
    return widen(trial.range, numbers);
  }
}

void add_batch(Trial& trial, const Values& values, uint64_t first_row, Arena& arena) {
  for (Candidate& candidate : trial.candidates) try_cast(candidate, values, first_row, arena);
  trial.null_count += values.null_count;
  if (trial.wants_range) widen_range(trial, values, arena);
}

bool is_decided(const Trial& trial) {
  return !trial.wants_range &&
         std::all_of(trial.candidates.begin(), trial.candidates.end(),
                     [](const Candidate& candidate) { return candidate.fault.has_value(); });
}

}  // namespace

void run_trials(const RowSource& rows, std::vector<Trial>& trials, const Context& context) {
  std::vector<uint64_t> columns;
  columns.reserve(trials.size());
  for (const Trial& trial : trials) columns.push_back(trial.column);
  const auto stream = rows.read(columns, context);
  Arena arena(context.memory);
  RowBatch batch;
  uint64_t first_row = 0;
  while (!std::all_of(trials.begin(), trials.end(), is_decided) && stream->next(batch)) {
    context.check_cancelled();
    for (uint64_t i = 0; i < trials.size(); ++i) {
      add_batch(trials[i], batch.columns[i], first_row, arena);
    }
    first_row += batch.rows;
  }
  // A change of the file may be the only cause of the result.
  if (batch.source != nullptr) batch.source->check_unchanged();
}

}  // namespace heron::inline v0
