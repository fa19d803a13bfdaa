#include "features_file.h"

#include <utility>

#include "columns/row_layout.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

FeatureRows rows_of(const PlainMap& map, const Table& table) {
  const RowLayout& layout = *internals(table).row_layout();
  return {.cells = map.base() + layout.rows.offset,
          .rows = table.rows(),
          .swapped = layout.order != std::endian::native};
}

}  // namespace

FeaturesFile::FeaturesFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), open_options), table(rows_of(map, *opened->table())) {}

bool is_features(const File& file) {
  const Table& table = *file.table();
  const RowLayout* layout = internals(table).row_layout();
  return layout != nullptr && layout->type.is(Type::Float32) && table.column_count() == kFeatures &&
         layout->row_bytes == kFeatureRowBytes;
}

}  // namespace heron::bench
