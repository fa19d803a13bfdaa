// Vectors as lists of all their slots, for every type of item.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arena.h"
#include "error_of.h"
#include "kit/random_batch.h"
#include "kit/value_text.h"

namespace heron {
namespace {

std::string zero_text(const Type& type) {
  if (type.is(Type::Null) || type.is(Type::Key)) return "null";
  if (type.is(Type::Bool)) return "false";
  return type.is_text() ? "\"\"" : std::string(2 * type.width(), '0');
}

// Returns the text that value_text() gives for a list of all slots.
std::string slots_text(const Values& vectors, uint64_t row) {
  const Values& stored = vectors.children[0];
  const Values& positions = vectors.children[1];
  const uint64_t first = stored.extent(row);
  const uint64_t count = stored.extent(row + 1) - first;
  const auto length = static_cast<uint64_t>(vectors.get<int32_t>(row));
  std::vector<std::string> slots(length, zero_text(vectors.type.item()));
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t slot =
        count == length
            ? i
            : static_cast<uint64_t>(positions.children[0].get<int32_t>(positions.extent(row) + i));
    slots[slot] = value_text(stored.children[0], first + i);
  }
  std::string text = "[";
  for (const std::string& slot : slots) text += slot + ' ';
  return text + ']';
}

Values vectors_of(const Type& type, double nulls, RowBatch& batch) {
  const auto schema = std::make_shared<Schema>(1);
  (*schema)[0].type = type;
  batch = random_batch(schema, 200, nulls, 3);
  return batch.columns[0];
}

TEST(Dense, HasAZeroInEverySlotThatIsNotStored) {
  std::vector<Type> items = {Type::Null,      Type::Bool,          Type::Int8,     Type::UInt16,
                             Type::Float32,   Type::Int64,         Type::Text,     Type::LargeText,
                             Type::Date32,    Type::DateTime,      Type::Duration, Type::RowId,
                             Type::Timestamp, Type::DateTimeOffset};
  items.push_back(Type::key(Type::UInt8, 50));
  items.push_back(Type::key(Type::UInt32, 5000));
  for (const Type& item : items) {
    for (const double nulls : {0.0, 0.3}) {
      for (const uint64_t size : {0, 4}) {
        RowBatch batch;
        const Values vectors = vectors_of(Type::vector(item, size), nulls, batch);
        SCOPED_TRACE(vectors.type.name());
        const Values lists = dense(vectors, *batch.memory, 2000);
        ASSERT_EQ(lists.type, Type::list(item, true));
        ASSERT_EQ(lists.rows, vectors.rows);
        for (uint64_t row = 0; row < lists.rows; ++row) {
          ASSERT_EQ(value_text(lists, row), slots_text(vectors, row)) << row;
        }
      }
    }
  }
}

TEST(Dense, CopiesNothingWhereEveryRowIsDense) {
  RowBatch batch;
  Values vectors = vectors_of(Type::vector(Type::Float64, 1), 0, batch);
  Values& stored = vectors.children[0];
  std::vector<int64_t> offsets(vectors.rows + 1);
  for (uint64_t i = 0; i <= vectors.rows; ++i) offsets[i] = static_cast<int64_t>(i);
  stored.children[0].rows = vectors.rows;
  stored.offsets = {reinterpret_cast<const std::byte*>(offsets.data()), offsets.size() * 8};
  const Values lists = dense(vectors, *batch.memory, vectors.rows);
  EXPECT_EQ(lists.offsets.data, stored.offsets.data);
  EXPECT_EQ(lists.children[0].data.data, stored.children[0].data.data);
}

TEST(Dense, RefusesMoreSlotsThanRequested) {
  RowBatch batch;
  const Values vectors = vectors_of(Type::vector(Type::Int32, 7), 0, batch);
  EXPECT_EQ(dense(vectors, *batch.memory, 1400).extent(200), 1400);
  const Error error = test::error_of([&] { dense(vectors, *batch.memory, 1399); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_THAT(error.what(), testing::HasSubstr("more than 1399 slots"));
}

}  // namespace
}  // namespace heron
