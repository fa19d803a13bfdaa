#include "jay/stats.h"

#include <type_traits>

#include "heron/error.h"

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

}  // namespace

std::vector<Metadata> stored_statistics(const jay_fbs::Column& column) {
  using jay_fbs::SType;
  std::vector<Metadata> metadata{{"nullcount", concat(column.nullcount())}};
  switch (column.type() != nullptr ? column.type()->stype() : column.stype()) {
    case SType::Bool8: add(metadata, column.stats_as_Bool()); break;
    case SType::Int8: add(metadata, column.stats_as_Int8()); break;
    case SType::Int16: add(metadata, column.stats_as_Int16()); break;
    case SType::Int32:
    case SType::Date32: add(metadata, column.stats_as_Int32()); break;
    case SType::Int64:
    case SType::Time64: add(metadata, column.stats_as_Int64()); break;
    case SType::Float32: add(metadata, column.stats_as_Float32()); break;
    case SType::Float64: add(metadata, column.stats_as_Float64()); break;
    default: break;
  }
  return metadata;
}

}  // namespace heron::inline v0::jay
