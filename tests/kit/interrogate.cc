#include "kit/interrogate.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "base/arena.h"
#include "bytes/memory_source.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/choice.h"

namespace heron::inline v0 {

namespace {

constexpr uint64_t kBudgetBytes = 64 << 20;
constexpr uint64_t kRowLimit = 5000;
constexpr uint64_t kMatrixRows = 100;
constexpr uint64_t kThreadedPart = 64;  // one input in 64 is queried on two threads: that is slow
constexpr uint64_t kMaxSlots = 10'000;
constexpr uint64_t kSmallCacheBytes = 4096;  // blocks evict each other
constexpr uint64_t kMaxDecode = 68 << 10;    // real payloads have less; damage may claim more
constexpr uint64_t kSmallDecode = 8 << 10;   // decoding 68 KiB takes longer than all queries

volatile uint64_t sink;  // keeps reads from being optimised away

uint64_t sum_of(std::span<const std::byte> bytes) {
  uint64_t sum = 0;
  for (const std::byte byte : bytes) sum += std::to_integer<uint64_t>(byte);
  return sum;
}

void touch(const std::byte* data, uint64_t bytes) {
  sink = sink + sum_of({data, bytes});
}

// Checks the slots of a vector's rows: positions ascend and are below the length.
void touch_slots(const Values& values) {
  touch(values.data.data, values.rows * sizeof(int32_t));
  for (uint64_t row = 0; row < values.rows; ++row) {
    const Values& positions = values.children[1];
    int32_t behind = 0;
    for (uint64_t i = positions.extent(row); i < positions.extent(row + 1); ++i) {
      const auto position = positions.children[0].get<int32_t>(i);
      if (position < behind || position >= values.get<int32_t>(row)) std::abort();
      behind = position + 1;
    }
  }
}

// Checks that each key of keys with values has a value.
void check_keys(const Values& values) {
  for (uint64_t row = 0; row < values.rows; ++row) {
    uint64_t key = 0;
    std::memcpy(&key, values.data.data + row * values.type.width(), values.type.width());
    if (!values.is_null(row) && (key == 0 || key > values.children[0].rows)) std::abort();
  }
}

void touch(const Values& values) {
  const uint64_t rows = values.rows;
  if (values.validity.data != nullptr) touch(values.validity.data, (rows + 7) / 8);
  if (values.type.is(Type::Bool)) touch(values.data.data, (rows + 7) / 8);
  touch(values.data.data, rows * values.type.width());
  for (uint64_t row = 0; row < rows; ++row) {
    if (values.type.has_bytes()) {
      const auto text = values.text(row);
      touch(reinterpret_cast<const std::byte*>(text.data()), text.size());
    }
  }
  if (values.type.is_list() && rows > 0) sink = sink + values.extent(rows);
  if (values.type.is(Type::Vector)) touch_slots(values);
  if (values.type.is(Type::Key) && !values.children.empty()) check_keys(values);
  for (const Values& child : values.children) touch(child);
}

void touch(const RowBatch& batch) {
  for (const Values& values : batch.columns) touch(values);
}

class Interrogation {
 public:
  Interrogation(uint64_t file_bytes, Choice choice) : choice_(choice) {
    context_.memory = std::make_shared<MemoryBudget>(kBudgetBytes + file_bytes);
  }

  int answered() const { return answered_; }
  void use_threads(unsigned threads) { context_.threads = threads; }

  void ask(std::span<const std::byte> bytes, const OpenOptions& options) {
    const auto file = opened(bytes, options);
    if (file == nullptr) return;
    const auto takes = choice_.among(4);
    if (takes(0)) attempt([&] { verify(*file, context_); });
    if (takes.way == 0) return;
    for (const auto& table : file->tables()) ask(table);
  }

  // Reads some rows of every table.
  void ask_briefly(std::span<const std::byte> bytes, const OpenOptions& options) {
    const auto file = opened(bytes, options);
    if (file == nullptr) return;
    for (const auto& table : file->tables())
      attempt([&] { touch(take(columns_of(table), some_rows(table->rows()), context_)); });
  }

 private:
  // Returns all columns; for a choice of queries at most some at both ends: a text of a few bytes
  // may have a million columns.
  Projection columns_of(const std::shared_ptr<const Table>& table) const {
    constexpr uint64_t kMaxColumns = 64;
    const uint64_t count = table->column_count();
    if (choice_.takes_all() || count <= kMaxColumns) return Projection(table);
    std::vector<uint64_t> some(kMaxColumns);
    for (uint64_t i = 0; i < kMaxColumns; ++i)
      some[i] = i < kMaxColumns / 2 ? i : count - kMaxColumns + i;
    return {table, some};
  }
  std::shared_ptr<const File> opened(std::span<const std::byte> bytes, const OpenOptions& options) {
    std::shared_ptr<const File> file;
    attempt([&] {
      file = open_source(std::make_shared<MemorySource>("damaged", bytes), options, context_);
    });
    return file;
  }

  template <class Question>
  void attempt(Question question) {
    try {
      question();
      ++answered_;
    } catch (const Error&) {
    }
  }

  void ask(const std::shared_ptr<const Table>& table) {
    const auto takes = choice_.among(3);
    if (takes(0)) attempt([&] { ask_rows(columns_of(table)); });
    if (takes(1)) {
      for (const uint64_t column : some_columns(table->column_count()))
        attempt([&] { ask_column(Projection(table, std::span(&column, 1))); });
    }
    if (takes(2)) ask_the_rest(table);
  }

  // Queries of neither rows nor columns.
  void ask_the_rest(const std::shared_ptr<const Table>& table) {
    attempt([&] { ask_schema(*table); });
    if (table->key_columns() > 0) attempt([&] { ask_key(table); });
    if (table->group_count() > 0) ask_groups(table);
    if (describes_forest(*table)) ask_forest(Forest(table));
    attempt([&] {
      if (const auto label = table->label_column()) {
        touch(take(Projection(table, std::span(&*label, 1)), some_rows(table->rows()), context_));
      }
    });
  }

  // Returns the columns that are queried one by one: the first 64, or for a choice of queries some
  // that follow each other.
  std::vector<uint64_t> some_columns(uint64_t count) {
    constexpr uint64_t kMaxColumns = 64, kChosenColumns = 2;
    std::vector<uint64_t> some(std::min(count, choice_.takes_all() ? kMaxColumns : kChosenColumns));
    const uint64_t first = count > some.size() ? choice_.below(count) : 0;
    for (uint64_t i = 0; i < some.size(); ++i) some[i] = (first + i) % count;
    return some;
  }

  static void ask_schema(const Table& table) {
    for (const Field& field : table.schema()) {
      for (const Metadata& metadata : field.metadata) {
        if (metadata.value != nullptr) touch(*metadata.value);
      }
    }
  }

  void ask_groups(const std::shared_ptr<const Table>& table) {
    for (const uint64_t group : {uint64_t{0}, table->group_count() / 2, table->group_count() - 1}) {
      attempt([&] {
        const RowRange rows = table->group(group);
        touch(read(columns_of(table), {rows.first, std::min(rows.last, rows.first + kRowLimit)},
                   context_));
      });
    }
  }

  // Classifies one point by mapped nodes, many by repacked ones, then one by those.
  void ask_forest(const Forest& forest) {
    constexpr uint64_t kPoints = 20;
    const uint64_t features = forest.feature_count();
    const std::vector<float> points(kPoints * features);
    std::vector<uint8_t> labels(kPoints);
    const auto ask_one = [&] {
      labels[0] = forest.predict_one<float>(std::span(points).first(features));
    };
    attempt(ask_one);
    attempt([&] {
      stats(forest, context_);
      forest.predict<float>(points, labels, {}, context_);
      for (const uint8_t label : labels) {
        if (label >= std::max(forest.class_count(), 1U)) std::abort();
      }
    });
    attempt(ask_one);
  }

  static std::vector<uint64_t> some_rows(uint64_t rows) {
    if (rows == 0) return {};
    return {rows - 1, 0, rows / 2, rows - 1};
  }

  void ask_rows(const Projection& columns) {
    const auto takes = choice_.among(4);
    if (takes(0)) ask_scan(columns);
    if (takes(1)) ask_matrices(columns);
    if (takes(2)) ask_block(columns);
    if (takes(3)) {
      attempt([&] { touch(take(columns, some_rows(columns.table()->rows()), context_)); });
    }
  }

  void ask_scan(const Projection& columns) {
    attempt([&] {
      Query query(columns);
      query.limit = kRowLimit;
      SkippedRows skipped;
      query.skip_damaged = &skipped;
      Scan scan(query, context_, 512);
      for (RowBatch batch; scan.next(batch);) touch(batch);
    });
  }

  void ask_block(const Projection& columns) {
    const Table& table = *columns.table();
    if (table.block_count() == 0) return;
    attempt([&] {
      const RowRange block = table.block(table.block_count() - 1);
      touch(read(columns, {block.first, std::min(block.last, block.first + kRowLimit)}, context_));
    });
  }

  static uint64_t matrix_width_of(const Projection& columns) {
    constexpr uint64_t kMaxColumns = 1000;  // damage may claim any number of slots
    return std::min(matrix_width(columns), kMaxColumns);
  }

  void ask_matrices(const Projection& columns) {
    const auto rows = some_rows(columns.table()->rows());
    attempt([&] {
      std::vector<float> cells(rows.size() * matrix_width_of(columns));
      matrix<float>(columns, rows, cells, MatrixNull::NaN, context_);
    });
    attempt([&] {
      const uint64_t all = columns.table()->rows();
      const RowRange range{all - std::min(all, kMatrixRows), all};
      std::vector<double> cells(range.rows() * matrix_width_of(columns));
      matrix<double>(columns, range, cells, MatrixNull::NaN, context_);
    });
  }

  void ask_column(const Projection& column) {
    const auto takes = choice_.among(4);
    if (takes(0)) ask_rows(column);
    if (takes(1)) ask_view(column, some_rows(column.table()->rows()));
    if (takes(2)) ask_whole(column);
    if (takes.way == 3) ask_values(column);
  }

  void ask_whole(const Projection& column) {
    const uint64_t rows = column.table()->rows();
    const bool is_vector = column.schema()->front().type.is(Type::Vector);
    const auto takes = choice_.among(is_vector ? 2 : 1);
    if (takes(0) && rows <= kRowLimit) attempt([&] { stats(column, context_); });
    if (takes(1) && is_vector) attempt([&] { ask_dense(column, some_rows(rows)); });
  }

  // Groups, orders or filters rows by a column, which reads codes and keys instead of values. Files
  // of tests, which get every query, have these from their own tests.
  void ask_values(const Projection& column) {
    const auto& table = column.table();
    if (table->rows() > kRowLimit) return;
    std::string name = "`";
    for (const char letter : column.schema()->front().name)
      name.append(letter == '`' ? 2 : 1, letter);
    name += '`';
    const Type& type = column.schema()->front().type;
    const auto takes = choice_.among(3);
    Query query(table);
    if (takes(0)) {
      query.by = Columns(column);
      const Aggregate rows{.name = "rows"};
      touch(group_by(query, {&rows, 1}, context_));
      return;
    }
    query.columns = Columns(column);
    if (takes(1)) query.order = {{name, Descending}};
    if (takes(2)) query.where = name + (type.is_text() ? " > 'a'" : " > 1");
    Scan scan(query, context_);
    for (RowBatch batch; scan.next(batch);) touch(batch);
  }

  void ask_view(const Projection& column, std::span<const uint64_t> rows) {
    attempt([&] {
      RowView view(column, context_);
      for (const uint64_t row : rows) {
        view.seek(row);
        if (column.schema()->front().type.has_bytes()) touch_text(view);
      }
    });
  }

  void ask_dense(const Projection& column, std::span<const uint64_t> rows) const {
    const RowBatch batch = take(column, rows, context_);
    Arena arena(context_.memory);
    touch(dense(batch.columns.front(), arena, kMaxSlots));
  }

  static void touch_text(const RowView& view) {
    if (const auto text = view.text(0))
      touch(reinterpret_cast<const std::byte*>(text->data()), text->size());
  }

  void ask_key(const std::shared_ptr<const Table>& table) {
    std::vector<uint64_t> columns;
    for (uint64_t i = 0; i < table->key_columns(); ++i) columns.push_back(i);
    const std::vector<Scalar> nulls(columns.size());
    find(Projection(table, columns), nulls, context_);
  }

  Context context_;
  Choice choice_;
  int answered_ = 0;
};

// Options to open a file, which formats without codes, groups, keys or blocks ignore.
constexpr uint64_t kOpenings = 4;
OpenOptions opening(const std::string& format, uint64_t way, uint64_t max_decode = kMaxDecode) {
  OpenOptions options;
  options.format = format;
  options.max_decode = max_decode;
  if (way == 1) options.set("values", "index");
  if (way >= 2) options.set("values", "scaled");
  if (way == 1) options.set("mode", "ranking");
  if (way >= 2) options.set("mode", "plain");
  if (way == 3) options.set("dense", true);
  if (way == 3) options.set("stored_keys", true);
  if (way == 3) options.cache_bytes = kSmallCacheBytes;
  return options;
}

}  // namespace

int interrogate(std::span<const std::byte> bytes, const std::string& format) {
  Interrogation interrogation(bytes.size(), Choice::all());
  interrogation.ask(bytes, opening(format, 0));
  for (uint64_t way = 1; way < kOpenings; ++way) {
    const bool is_last = way == kOpenings - 1;
    if (is_last && sum_of(bytes) % kThreadedPart == 0) interrogation.use_threads(2);
    interrogation.ask_briefly(bytes, opening(format, way));
  }
  return interrogation.answered();
}

void interrogate_in_part(std::span<const std::byte> bytes, const std::string& format) {
  const uint64_t sum = seed_of(bytes);
  Interrogation interrogation(bytes.size(), Choice::some(sum));
  if (sum / 8 % kThreadedPart == 0) interrogation.use_threads(2);
  const uint64_t way = sum / 4096 % (2 * kOpenings);  // half of the files are opened as they are
  const uint64_t max_decode = sum / 512 % 8 == 0 ? kMaxDecode : kSmallDecode;
  if (way == 0 || way >= kOpenings) {
    interrogation.ask(bytes, opening(format, 0, max_decode));
  } else {
    interrogation.ask_briefly(bytes, opening(format, way, max_decode));
  }
}

bool begins_as_container(std::span<const std::byte> bytes) {
  return std::ranges::any_of(formats(), [bytes](const Format& format) {
    const auto head = bytes.first(std::min<size_t>(bytes.size(), format.probe_bytes));
    return format.unwrap != nullptr && format.probe(head, bytes.size()) != Match::No;
  });
}

}  // namespace heron::inline v0
