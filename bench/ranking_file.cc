#include "ranking_file.h"

#include <numeric>
#include <utility>

namespace heron::bench {

RankingFile::RankingFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), open_options),
      numbers(numbers_of(opened->table())),
      features(columns_between(*this, kFirstFeature, all.size())),
      ranking(map),
      decoded(ranking) {}

bool is_ranking(const File& file) {
  const Table& table = *file.table();
  return table.label_column() == kTarget && table.group_count() > 0;
}

Projection numbers_of(const std::shared_ptr<const Table>& table) {
  std::vector<uint64_t> columns(table->column_count());
  std::iota(columns.begin(), columns.end(), 0);
  columns.erase(columns.begin() + kQuery);
  return Projection(table, columns);
}

}  // namespace heron::bench
