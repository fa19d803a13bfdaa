#include "jay/stats.h"

#include <type_traits>

#include "base/fail.h"
#include "heron/error.h"
#include "jay/columns.h"

namespace heron::inline v0::jay {
namespace {

template <class Stats>
void add(std::vector<Metadata>& metadata, const Stats* stats) {
  if (stats == nullptr) return;
  const auto text = [](auto value) {
    if constexpr (std::is_same_v<decltype(value), int8_t>)
      return concat(static_cast<int>(value));
    else
      return concat(value);
  };
  metadata.emplace_back("min", text(stats->min()));
  metadata.emplace_back("max", text(stats->max()));
}

jay_fbs::Stats stats_of(jay_fbs::SType stype) {
  using jay_fbs::SType;
  switch (stype) {
    case SType::Bool8: return jay_fbs::Stats::Bool;
    case SType::Int8: return jay_fbs::Stats::Int8;
    case SType::Int16: return jay_fbs::Stats::Int16;
    case SType::Int32:
    case SType::Date32: return jay_fbs::Stats::Int32;
    case SType::Int64:
    case SType::Time64: return jay_fbs::Stats::Int64;
    case SType::Float32: return jay_fbs::Stats::Float32;
    case SType::Float64: return jay_fbs::Stats::Float64;
    default: return jay_fbs::Stats::NONE;
  }
}

}  // namespace

std::vector<Metadata> stored_statistics(const jay_fbs::Column& column) {
  std::vector<Metadata> metadata{{"nullcount", concat(column.nullcount())}};
  // stats_as_...() returns null if the file has another kind.
  switch (stats_of(stype_of(column))) {
    case jay_fbs::Stats::Bool: add(metadata, column.stats_as_Bool()); break;
    case jay_fbs::Stats::Int8: add(metadata, column.stats_as_Int8()); break;
    case jay_fbs::Stats::Int16: add(metadata, column.stats_as_Int16()); break;
    case jay_fbs::Stats::Int32: add(metadata, column.stats_as_Int32()); break;
    case jay_fbs::Stats::Int64: add(metadata, column.stats_as_Int64()); break;
    case jay_fbs::Stats::Float32: add(metadata, column.stats_as_Float32()); break;
    case jay_fbs::Stats::Float64: add(metadata, column.stats_as_Float64()); break;
    case jay_fbs::Stats::NONE: break;
  }
  return metadata;
}

std::string fault_of_statistics(const jay_fbs::Column& column, uint64_t nulls) {
  using jay_fbs::SType;
  const SType stype = stype_of(column);
  const jay_fbs::Stats kind = stats_of(stype);
  if (column.stats() != nullptr && column.stats_type() != kind) {
    return concat("expected statistics of kind ", static_cast<int>(kind), " for type ",
                  static_cast<int>(stype), ", got ", static_cast<int>(column.stats_type()));
  }
  // A NaN is null whatever the bitmap says; the writer then counted only the bitmap's nulls.
  const bool has_bitmap = column.buffers() != nullptr && column.buffers()->size() != 0 &&
                          column.buffers()->Get(0)->length() != 0;
  const bool is_float = stype == SType::Float32 || stype == SType::Float64;
  const uint64_t stored = column.nullcount();
  const bool holds = has_bitmap && is_float ? stored <= nulls : stored == nulls;
  if (stored == 0 || holds) return {};  // writers that do not count nulls store 0
  return concat("expected nullcount ", nulls, ", as there are nulls, got ", stored);
}

}  // namespace heron::inline v0::jay
