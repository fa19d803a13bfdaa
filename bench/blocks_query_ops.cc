// A predicate on columns in compressed blocks: how much decoding zone maps save.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

#include "base/fail.h"
#include "bench.h"
#include "blocks_answers.h"
#include "bytes/byte_source.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

constexpr uint64_t kInputs = 9;
constexpr uint64_t kParts = 50;  // a fiftieth of the blocks is selected

// The measured columns, written again with an ascending column "index", the row number.
class OrderedFile {
 public:
  explicit OrderedFile(const BlocksFile& file) : path_(file.path + ".ordered.idv") {
    const Projection measured(file.opened->table(), file.columns);
    Schema schema = *measured.schema();
    Field row_index;
    row_index.name = "index";
    row_index.type = Type::Int64;
    schema.push_back(row_index);
    WriteOptions options;
    options.rows = file.rows;
    options.set("block_rows", file.contents.block_rows);
    const auto writer = create(path_, schema, options);
    std::vector<int64_t> indices;
    RowBatch batch;
    for (Scan scan(measured); scan.next(batch);) {
      indices.resize(batch.rows);
      std::iota(indices.begin(), indices.end(), static_cast<int64_t>(scan.first_row()));
      writer->write(with_indices(batch, indices));
    }
    writer->close();
    writer->publish();
  }
  ~OrderedFile() { std::remove(path_.c_str()); }
  OrderedFile(const OrderedFile&) = delete;
  OrderedFile& operator=(const OrderedFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  static RowBatch with_indices(RowBatch batch, const std::vector<int64_t>& indices) {
    Values column(Type::Int64, batch.rows);
    column.data = {reinterpret_cast<const std::byte*>(indices.data()),
                   indices.size() * sizeof(int64_t)};
    batch.columns.push_back(column);
    return batch;
  }

  std::string path_;
};

// Returns all columns but "index", whose zone maps it warms.
Projection all_but_index(const std::shared_ptr<const File>& opened) {
  const auto& table = opened->table();
  count(Predicate(table, "index >= 0"));
  std::vector<uint64_t> columns(table->column_count() - 1);
  std::iota(columns.begin(), columns.end(), 0);
  return Projection(table, columns);
}

// Returns the rows that each input selects: whole blocks.
std::vector<RowRange> ranges_of_inputs(const BlocksFile& file) {
  const uint64_t blocks = std::max<uint64_t>(file.contents.blocks() / kParts, 1);
  std::vector<RowRange> ranges;
  for (uint64_t input = 0; input < kInputs; ++input) {
    const uint64_t first = file.contents.blocks() * input / kInputs * file.contents.block_rows;
    ranges.push_back({first, std::min(first + blocks * file.contents.block_rows, file.rows)});
  }
  return ranges;
}

Query where(const Projection& columns, RowRange rows, QueryMetrics* metrics = nullptr) {
  Query query(columns, concat("index between ", rows.first, " and ", rows.last - 1));
  query.metrics = metrics;
  return query;
}

struct HeronWhere {
  Projection columns;
  const std::vector<RowRange>& ranges;
  QueryMetrics* metrics = nullptr;
  BlocksTotals totals = {};
  RowBatch batch = {};

  void run(uint64_t input) {
    totals = {};
    for (Scan scan(where(columns, ranges[input], metrics)); scan.next(batch);) {
      add_rows(batch, {0, batch.rows}, totals);
    }
  }
  double check() const { return check_of(totals); }
};

// The query without pruning: reads and sums everything, and the selected rows once more.
struct HeronFullScan {
  Projection columns;
  const std::vector<RowRange>& ranges;
  BlocksTotals picked = {};
  RowBatch batch = {};

  void run(uint64_t input) {
    picked = {};
    BlocksTotals totals;
    for (Scan scan(columns); scan.next(batch);) {
      add_rows(batch, {0, batch.rows}, totals);
      const auto in_batch = [&](uint64_t row) {
        return std::clamp(row, scan.first_row(), scan.first_row() + batch.rows) - scan.first_row();
      };
      add_rows(batch, {in_batch(ranges[input].first), in_batch(ranges[input].last)}, picked);
    }
    keep(totals);
  }
  double check() const { return check_of(picked); }
};

// Reports how many zones of the predicate's column were decoded, by the metrics, and how many bytes
// of the file were read, by a source that is not mapped.
void report_skipping(const Op& op, const std::string& path, OpenOptions options,
                     const std::vector<RowRange>& ranges) {
  options.mmap = false;
  const auto opened = open(path, options);
  const Projection columns = all_but_index(opened);
  QueryMetrics metrics;
  HeronWhere heron{columns, ranges, &metrics};
  const uint64_t before = internals(*opened).bytes->bytes_read();
  heron.run(0);
  const auto bytes =
      static_cast<unsigned long long>(internals(*opened).bytes->bytes_read() - before);
  const auto zones = static_cast<unsigned long long>(metrics.zones);
  const auto decoded = zones - static_cast<unsigned long long>(metrics.zones_skipped);
  const auto size = static_cast<unsigned long long>(opened->size_bytes());
  std::printf(
      "{\"file\":\"%s\",\"op\":\"%s\",\"engine\":\"heron\",\"zones\":%llu,\"zones_decoded\":%llu,"
      "\"file_bytes\":%llu,\"bytes_read\":%llu}\n",
      path.c_str(), op.name, zones, decoded, size, bytes);
  std::fflush(stdout);
  std::fprintf(stderr, "%-24s decoded %llu of %llu zones, read %llu of %llu bytes\n", op.name,
               decoded, zones, bytes, size);
}

}  // namespace

bool scan_where_2pct(Bench<BlocksFile>& bench) {
  const BlocksFile& file = bench.file;
  const OrderedFile ordered(file);
  const auto ranges = ranges_of_inputs(file);
  const auto opened = open(ordered.path(), file.cold_options);
  touch(*internals(*opened).bytes);
  const Projection columns = all_but_index(opened);
  const Op op = {.name = "scan_where_2pct", .max_ratio = 0.05, .inputs = kInputs};
  report_skipping(op, ordered.path(), file.cold_options, ranges);
  return bench.measure(op, HeronWhere{columns, ranges}, HeronFullScan{columns, ranges});
}

}  // namespace heron::bench
