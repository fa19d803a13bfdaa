// Matrices of any number of columns of each stored type, which are copied some columns at a time,
// from the file and from a Loader's memory.
#include <gtest/gtest.h>

#include <numeric>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "sample/loaded_table.h"

namespace heron {
namespace {

struct Stored {
  Type type;
  NullEncoding nulls;
};

std::vector<Stored> stored_types() {
  std::vector<Stored> all;
  for (const Type::Id id : {Type::Int8, Type::Int16, Type::Int32, Type::Int64, Type::Bool}) {
    all.push_back({id, NullEncoding::Sentinel});
    all.push_back({id, NullEncoding::Never});
  }
  for (const Type::Id id : {Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64}) {
    all.push_back({id, NullEncoding::Zero});
    all.push_back({id, NullEncoding::Never});
  }
  for (const Type::Id id : {Type::Float32, Type::Float64}) all.push_back({id, NullEncoding::NaN});
  return all;
}

void add_column(TableMaker& maker, const Stored& stored, uint64_t seed) {
  const std::string name = concat("c", seed);
  const auto add = [&]<class T>(T) {
    maker.fixed(name, stored.type, test::random_cells<T>(seed), stored.nulls);
  };
  switch (stored.type.id()) {
    case Type::Bool:
    case Type::Int8: return add(int8_t{});
    case Type::Int16: return add(int16_t{});
    case Type::Int32: return add(int32_t{});
    case Type::Int64: return add(int64_t{});
    case Type::UInt8: return add(uint8_t{});
    case Type::UInt16: return add(uint16_t{});
    case Type::UInt32: return add(uint32_t{});
    case Type::UInt64: return add(uint64_t{});
    case Type::Float32: return add(float{});
    default: return add(double{});
  }
}

std::shared_ptr<const Table> made(const Stored& stored, uint64_t columns) {
  TableMaker maker(test::kRows);
  for (uint64_t c = 0; c < columns; ++c) add_column(maker, stored, c);
  return maker.table();
}

// The elements by columns, which other code reads.
template <class T>
std::vector<T> plain_matrix(const Projection& columns, RowRange rows) {
  const RowBatch batch = read(columns, rows);
  std::vector<T> out;
  for (uint64_t row = 0; row < batch.rows; ++row) {
    for (const Values& values : batch.columns) {
      if (values.is_null(row)) {
        out.push_back(std::numeric_limits<T>::quiet_NaN());
        continue;
      }
      switch (values.type.id()) {
        case Type::Bool: out.push_back(values.get_bool(row)); break;
        case Type::Int8: out.push_back(static_cast<T>(values.get<int8_t>(row))); break;
        case Type::Int16: out.push_back(static_cast<T>(values.get<int16_t>(row))); break;
        case Type::Int32: out.push_back(static_cast<T>(values.get<int32_t>(row))); break;
        case Type::Int64: out.push_back(static_cast<T>(values.get<int64_t>(row))); break;
        case Type::UInt8: out.push_back(static_cast<T>(values.get<uint8_t>(row))); break;
        case Type::UInt16: out.push_back(static_cast<T>(values.get<uint16_t>(row))); break;
        case Type::UInt32: out.push_back(static_cast<T>(values.get<uint32_t>(row))); break;
        case Type::UInt64: out.push_back(static_cast<T>(values.get<uint64_t>(row))); break;
        case Type::Float32: out.push_back(static_cast<T>(values.get<float>(row))); break;
        default: out.push_back(static_cast<T>(values.get<double>(row)));
      }
    }
  }
  return out;
}

template <class T>
void expect_equal(const std::vector<T>& found, const std::vector<T>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] != found[i] && expected[i] != expected[i]) continue;
    ASSERT_EQ(found[i], expected[i]) << "element " << i;
  }
}

template <class T>
void expect_matrices(const Projection& columns) {
  const RowRange range{5, 205};
  const std::vector<T> expected = plain_matrix<T>(columns, range);
  std::vector<uint64_t> rows(range.rows());
  std::iota(rows.begin(), rows.end(), range.first);
  std::vector<T> found(expected.size());
  matrix<T>(columns, range, std::span(found));
  ASSERT_NO_FATAL_FAILURE(expect_equal(found, expected));
  found.assign(found.size(), T{77});
  matrix<T>(columns, rows, std::span(found));
  ASSERT_NO_FATAL_FAILURE(expect_equal(found, expected));
}

TEST(MatrixTypes, AnyNumberOfColumnsOfOneType) {
  for (const Stored& stored : stored_types()) {
    const auto table = made(stored, 9);
    for (uint64_t columns = 1; columns <= 9; ++columns) {
      SCOPED_TRACE(concat(columns, " columns of ", stored.type.name()));
      std::vector<uint64_t> some(columns);
      std::iota(some.begin(), some.end(), 9 - columns);
      ASSERT_NO_FATAL_FAILURE(expect_matrices<float>(Projection(table, some)));
      ASSERT_NO_FATAL_FAILURE(expect_matrices<double>(Projection(table, some)));
    }
  }
}

TEST(MatrixTypes, LoadersKeepEachType) {
  for (const Stored& stored : stored_types()) {
    SCOPED_TRACE(stored.type.name());
    const Projection columns(made(stored, 3));
    const EpochShard shard(EpochOrder{columns}, {.sampler = {.seed = 1}});
    for (const auto output : {test::Output::Float32, test::Output::Float64}) {
      const LoaderOptions options{
          .output = output, .memory_bytes = test::kEnough, .kept = KeptRows()};
      for (int epoch = 0; epoch < 2; ++epoch)
        ASSERT_NO_FATAL_FAILURE(test::expect_epoch(columns, shard, options, {}));
    }
  }
}

}  // namespace
}  // namespace heron
