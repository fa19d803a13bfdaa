// Expressions of keys are computed once a key, not once a row, as their memory shows.
#include <gtest/gtest.h>

#include <atomic>

#include "base/arena.h"
#include "columns/dictionaries/key_column.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/values_column.h"
#include "values/validity.h"

namespace heron {
namespace {

constexpr uint64_t kRows = 20'000, kKeys = 8, kTextBytes = 20'000;
// The budget fits the results of all keys, but not those of the rows that are computed together.
constexpr uint64_t kBudget = uint64_t{4} << 20;

RowBatch batch_of_one() {
  RowBatch batch;
  batch.memory = std::make_shared<Arena>();
  return batch;
}

// Row i has key i % (kKeys + 1), 0 is null; the value of a key is its letter, many times.
std::shared_ptr<const Table> keyed_table(std::atomic<uint64_t>& loads) {
  RowBatch numbers = batch_of_one();
  numbers.rows = kRows;
  auto* cells = numbers.memory->allocate_array<uint32_t>(kRows);
  auto* valid = numbers.memory->allocate_array<uint8_t>(kRows);
  for (uint64_t i = 0; i < kRows; ++i) {
    cells[i] = static_cast<uint32_t>(i % (kKeys + 1));
    valid[i] = cells[i] != 0;
  }
  Values values(Type::key(Type::UInt32, kKeys), kRows);
  values.data = {reinterpret_cast<const std::byte*>(cells), kRows * 4};
  set_validity_from_flags(values, valid, *numbers.memory);
  numbers.columns.push_back(std::move(values));
  const auto load = [&loads](const Context&) {
    ++loads;
    TableMaker maker(kKeys);
    std::vector<std::optional<std::string>> texts;
    for (uint64_t key = 1; key <= kKeys; ++key) {
      texts.emplace_back(std::string(kTextBytes + key, static_cast<char>('a' + key)));
    }
    maker.texts("value", texts);
    return read(Projection(maker.table()), {0, kKeys});
  };
  TableMaker maker(kRows);
  maker.add("k", [=](const ByteSource&, uint64_t, ColumnLabel label) {
    return std::make_unique<KeyColumn>(label, std::make_unique<ValuesColumn>(numbers, 0, label),
                                       std::make_shared<KeyValues>(load, Type(Type::Text)));
  });
  return maker.table();
}

class KeyResultsTest : public testing::Test {
 protected:
  KeyResultsTest() { context_.memory = std::make_shared<MemoryBudget>(kBudget); }

  std::atomic<uint64_t> loads_ = 0;
  const std::shared_ptr<const Table> table_ = keyed_table(loads_);
  Context context_;
};

TEST_F(KeyResultsTest, APredicateIsComputedOnceAKey) {
  const auto rows_of_key = [](uint64_t key) {
    return kRows / (kKeys + 1) + (kRows % (kKeys + 1) > key);
  };
  EXPECT_EQ(count(Query(table_, "upper(k) like 'DD%'"), context_), rows_of_key(3));
  EXPECT_EQ(count(Query(table_, "not upper(k) like 'DD%'"), context_),
            kRows - rows_of_key(0) - rows_of_key(3));
  EXPECT_EQ(count(Query(table_, "reverse(k) is null"), context_), rows_of_key(0));
  EXPECT_EQ(count(Query(table_, "strlen(upper(k)) = 20005 and k is not null"), context_),
            rows_of_key(5));
  EXPECT_EQ(loads_, 1U);
}

TEST_F(KeyResultsTest, AColumnIsComputedOnceAKey) {
  Query query(table_);
  query.columns = {"substr(upper(k), 20000) as tail", "strlen(reverse(k)) as bytes"};
  for (const unsigned threads : {1U, 2U}) {
    context_.threads = threads;
    uint64_t row = 0;
    Scan scan(query, context_);
    for (RowBatch batch; scan.next(batch);) {
      for (uint64_t i = 0; i < batch.rows; ++i, ++row) {
        const uint64_t key = row % (kKeys + 1);
        ASSERT_EQ(batch.columns[0].is_null(i), key == 0);
        ASSERT_EQ(batch.columns[1].is_null(i), key == 0);
        if (key == 0) continue;
        ASSERT_EQ(batch.columns[0].text(i), std::string(key + 1, static_cast<char>('A' + key)));
        ASSERT_EQ(batch.columns[1].get<int64_t>(i), static_cast<int64_t>(kTextBytes + key));
      }
    }
    EXPECT_EQ(row, kRows);
  }
  EXPECT_EQ(loads_, 1U);
}

}  // namespace
}  // namespace heron
