// The loss expected beforehand is an upper bound for all values, and the loss reported afterwards
// equals the loss that reading shows.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/int128.h"
#include "heron/heron.h"
#include "jforests/jforests.h"
#include "jforests/scaling.h"
#include "kit/random_batch.h"
#include "kit/special_numbers.h"
#include "temp_folder.h"

namespace heron {
namespace {

using jforests::Scale;

double expected_loss(const NumberRange& range) {
  return jforests::kWriteSupport.expected_loss("x", {}, range);
}

double loss_of(const Scale& scale, double value) {
  return std::abs(scale.original(scale.scaled(value)) - value);
}

// Returns the loss of any values of the range, its ends among them.
double measured_loss(double least, double largest, std::mt19937_64& random) {
  const Scale scale = jforests::scale_for(least, largest);
  std::uniform_real_distribution<double> part;
  double most = std::max(loss_of(scale, least), loss_of(scale, largest));
  for (int i = 0; i < 20'000; ++i) {
    const double value = std::lerp(least, largest, part(random));
    most = std::max(most, loss_of(scale, value));
  }
  return most;
}

TEST(JforestsLoss, IsForeseenOfAnyNumbers) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> digits(1, 10), sign(-1, 1);
  for (int exponent = -300; exponent <= 306; exponent += 6) {
    const double range = digits(random) * std::pow(10, exponent);
    for (const double offset : {0.0, -0.5, -1.0, 1e3, -1e6, 1e12, 1e18}) {
      const double least = offset * range;
      const double largest = least + range;
      if (!std::isfinite(largest)) continue;
      const double expected = expected_loss({least, largest, false});
      const double measured = measured_loss(least, largest, random);
      EXPECT_LE(measured, expected) << least << ' ' << largest;
      if (std::abs(offset) > 1e6) continue;  // values far from 0 lose their last bits anyway
      EXPECT_LE(expected, 2 * measured) << least << ' ' << largest;
    }
  }
}

TEST(JforestsLoss, IsForeseenOfWholeNumbers) {
  std::mt19937_64 random(2);
  int kept = 0;
  for (int range = 1; range < 40'000; range += 1 + range / 20) {
    const double least = std::uniform_int_distribution<int>(-1'000'000, 1'000'000)(random);
    const Scale scale = jforests::scale_for(least, least + range);
    double measured = 0;
    for (int i = 0; i <= range; ++i) measured = std::max(measured, loss_of(scale, least + i));
    const double expected = expected_loss({least, least + range, true});
    EXPECT_LE(measured, expected) << least << ' ' << range;
    EXPECT_LE(expected, 2 * measured) << least << ' ' << range;
    kept += expected == 0;
  }
  EXPECT_GE(kept, 4);  // 1, 2, 3, 6
}

TEST(JforestsLoss, OfWholeNumbersIsThatOfAnyWhereTheRangeIsNot) {
  EXPECT_EQ(expected_loss({0, 6, true}), 0);
  EXPECT_NEAR(expected_loss({0.5, 6.5, true}), 3.0 / jforests::kLargestScaled, 1e-9);
  EXPECT_GT(expected_loss({0, 5, true}), 0);
}

TEST(JforestsLoss, OfRangesThatScalingIsNotMadeFor) {
  EXPECT_EQ(expected_loss({7, 7, false}), 0);
  EXPECT_EQ(expected_loss({kInfinity, -kInfinity, false}), 0);
  EXPECT_EQ(expected_loss({-1e308, 1e308, false}), kInfinity);
  EXPECT_EQ(expected_loss({0, kInfinity, false}), kInfinity);
  EXPECT_EQ(expected_loss({kInfinity, kInfinity, false}), kInfinity);
  EXPECT_EQ(expected_loss({0, 1e-310, false}), 1e-310);
}

TEST(JforestsLoss, LabelsAndGroupsHaveNone) {
  const auto& expected = jforests::kWriteSupport.expected_loss;
  const NumberRange range = {0, 5, false};
  WriteOptions options;
  EXPECT_EQ(expected("target", options, range), 0);
  EXPECT_EQ(expected("query", options, range), 0);
  options.set("label_column", "x");
  options.set("group_column", "y");
  EXPECT_EQ(expected("x", options, range), 0);
  EXPECT_EQ(expected("y", options, range), 0);
  EXPECT_GT(expected("target", options, range), 0);
  EXPECT_GT(expected("query", options, range), 0);
  // Integers that no double equals have a loss.
  EXPECT_EQ(expected("x", options, {-9007199254740992, 0, true}), 0);
  EXPECT_EQ(expected("x", options, {-9007199254740994, 0, true}), 1);
}

// Returns the exact difference of the value read from the one given.
double difference(const Values& given, uint64_t row, double read) {
  switch (given.type.id()) {
    case Type::Bool: return std::abs(read - given.get_bool(row));
    case Type::Int8: return std::abs(read - given.get<int8_t>(row));
    case Type::Int16: return std::abs(read - given.get<int16_t>(row));
    case Type::Int32: return std::abs(read - given.get<int32_t>(row));
    case Type::Int64:
      return std::abs(static_cast<double>(static_cast<Int128>(read) - given.get<int64_t>(row)));
    case Type::UInt64:
      return std::abs(static_cast<double>(static_cast<Int128>(read) - given.get<uint64_t>(row)));
    case Type::Float32: return std::abs(read - static_cast<double>(given.get<float>(row)));
    default: return std::abs(read - given.get<double>(row));
  }
}

ColumnLoss seen_loss(uint64_t column, const std::vector<RowBatch>& given, const Values& read) {
  ColumnLoss loss{column, 0, 0};
  uint64_t at = 0;
  for (const RowBatch& batch : given) {
    const Values& values = batch.columns[column];
    for (uint64_t row = 0; row < batch.rows; ++row, ++at) {
      const double off = values.is_null(row) ? 0 : difference(values, row, read.get<double>(at));
      loss.changed += values.is_null(row) || off != 0;
      loss.largest = std::max(loss.largest, off);
    }
  }
  return loss;
}

// Compares the losses that the writer reports with those that reading shows, for columns named by
// their types behind the target. `rows` is the number of rows per batch.
void expect_losses(const std::vector<Type>& types, double nulls, uint64_t rows) {
  auto schema = std::make_shared<Schema>();
  for (const Type& type : types) {
    Field& field = schema->emplace_back();
    field.name = schema->size() == 1 ? "target" : type.name();
    field.type = type;
  }
  std::vector<RowBatch> given;
  for (const uint64_t seed : {1, 2}) {
    RowBatch& batch = given.emplace_back(random_batch(schema, rows, nulls, seed));
    batch.columns[0].validity = {};
    batch.columns[0].null_count = 0;
  }
  const test::TempFolder folder;
  const auto writer = create(folder / "file.bin", *schema);
  for (const RowBatch& batch : given) writer->write(batch);
  writer->close();
  writer->publish();
  const auto table = open(folder / "file.bin")->table();
  const RowBatch read = heron::read(Projection(table), {0, table->rows()});

  const std::vector<ColumnLoss> losses = writer->losses();
  auto loss = losses.begin();
  for (uint64_t column = 0; column < types.size(); ++column) {
    const ColumnLoss seen = seen_loss(column, given, read.columns[column]);
    if (seen.changed == 0) continue;
    ASSERT_NE(loss, losses.end());
    EXPECT_EQ(loss->column, column);
    // Integers beyond doubles: the ends of the range, which scaling keeps, may count or not.
    const uint64_t unsure = types[column].is(Type::Int64) || types[column].is(Type::UInt64) ? 2 : 0;
    EXPECT_LE(loss->changed, seen.changed) << types[column].name();
    EXPECT_GE(loss->changed + unsure, seen.changed) << types[column].name();
    EXPECT_NEAR(loss->largest, seen.largest, seen.largest * 1e-9) << types[column].name();
    ++loss;
  }
  EXPECT_EQ(loss, losses.end());
}

const std::vector<Type> kTypes = {Type::Int64,  Type::Bool,    Type::Int8,
                                  Type::Int16,  Type::Int32,   Type::Int64,
                                  Type::UInt64, Type::Float32, Type::Float64};

TEST(JforestsLoss, IsToldAfterwards) {
  expect_losses(kTypes, 0, 1000);
  expect_losses(kTypes, 0.3, 1000);
}

TEST(JforestsLoss, OfOneValueIsThatOfADouble) {
  expect_losses(kTypes, 0, 0);
  expect_losses({Type::UInt64}, 0, 1);
}

}  // namespace
}  // namespace heron
