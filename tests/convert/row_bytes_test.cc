// Rows packed as bytes have the same values when unpacked, for every type and in any order.
#include "convert/row_bytes.h"

#include <gtest/gtest.h>

#include "base/fail.h"
#include "heron/error.h"
#include "kit/random_batch.h"
#include "kit/value_text.h"

namespace heron {
namespace {

TEST(RowBytes, GiveBackTheValuesOfEveryType) {
  auto schema = std::make_shared<Schema>();
  std::vector<Type> types = types_of_vectors_and_ticks();
  for (const Type& type : types_of_decimals_and_binary()) {
    types.insert(types.end(), {type, Type::list(type), Type::vector(type, 4)});
  }
  for (const Type& type : types_of_other_times()) types.push_back(type);
  for (const Type& type :
       {Type(Type::Null), Type(Type::Bool), Type(Type::Int8), Type(Type::Int16), Type(Type::Int32),
        Type(Type::Int64), Type(Type::UInt8), Type(Type::Float32), Type(Type::Float64),
        Type(Type::Text), Type(Type::LargeText), Type(Type::Date32), Type(Type::Timestamp),
        Type::list(Type::Int32), Type::list(Type::Text, true), Type::list(Type::Bool),
        Type::list(Type::list(Type::Float64))}) {
    types.push_back(type);
  }
  for (const Type& type : types) {
    Field& field = schema->emplace_back();
    field.name = concat('c', schema->size());
    field.type = type;
  }
  for (const double nulls : {0.0, 0.3}) {
    const RowBatch batch = random_batch(schema, 200, nulls, 5);
    RowBytes bytes;
    bytes.assign(random_batch(schema, 300, 0.5, 6));
    bytes.assign(batch);
    std::vector<const char*> rows;
    std::vector<uint64_t> numbers;
    for (uint64_t i = 0; i < 150; ++i) {
      numbers.push_back(i * 77 % 200);
      rows.push_back(bytes[numbers.back()].data());
    }
    Arena arena;
    for (const Values& model : batch.columns) {
      const Values values = read_column(model, rows, arena);
      ASSERT_EQ(values.rows, rows.size());
      uint64_t null_count = 0;
      for (uint64_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(value_text(values, i), value_text(model, numbers[i])) << model.type.name();
        null_count += values.is_null(i);
      }
      EXPECT_EQ(values.null_count, null_count);
    }
    for (uint64_t i = 0; i < rows.size(); ++i) {
      const std::string_view row = bytes[numbers[i]];
      EXPECT_EQ(rows[i], row.data() + row.size());
    }
  }
}

TEST(RowBytes, TellMoreCharactersThanOffsetsCount) {
  Values text(Type::Text, 1);
  const std::string characters(uint64_t{1} << 20, 'x');
  const int32_t offsets[] = {0, 1 << 20};
  text.data = {reinterpret_cast<const std::byte*>(characters.data()), characters.size()};
  text.offsets = {reinterpret_cast<const std::byte*>(offsets), sizeof offsets};
  RowBatch batch;
  batch.rows = 1;
  batch.columns.push_back(text);
  RowBytes bytes;
  bytes.assign(batch);
  std::vector<const char*> rows(2048, bytes[0].data());
  Arena arena;
  EXPECT_THROW(read_column(text, rows, arena), Error);
}

}  // namespace
}  // namespace heron
