// Trials against a plain loop over the rows, one value at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "base/fail.h"
#include "convert/made_values.h"
#include "convert/trial.h"
#include "error_of.h"
#include "kit/batch_rows.h"

namespace heron {
namespace {

RowBatch batch_of(MadeValues& maker, const std::vector<Values>& columns) {
  RowBatch batch;
  auto schema = std::make_shared<Schema>();
  for (const Values& values : columns) {
    Field& field = schema->emplace_back();
    field.name = concat("c", schema->size() - 1);
    field.type = values.type;
    field.nullable = values.null_count != 0;
  }
  batch.schema = schema;
  batch.rows = columns.front().rows;
  batch.columns = columns;
  batch.memory = std::shared_ptr<Arena>(&maker.arena, [](Arena*) {});
  return batch;
}

// Returns the fault that the trial should find.
std::optional<CastFault> plain_fault(const Values& values, const Candidate& candidate) {
  for (uint32_t row = 0; row < values.rows; ++row) {
    Arena arena;
    const Values one = pick(values, {&row, 1}, arena);
    if (one.is_null(0)) {
      if (candidate.null_fits) continue;
      return CastFault{row, "null"};
    }
    Values cast_value;
    if (auto fault = cast(one, candidate.type, NullFloat::Keep, arena, cast_value)) {
      return CastFault{row, fault->value};
    }
  }
  return std::nullopt;
}

void expect_same(const std::optional<CastFault>& found, const std::optional<CastFault>& expected) {
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found) return;
  EXPECT_EQ(found->row, expected->row);
  EXPECT_EQ(found->value, expected->value);
}

TEST(Trial, FindsWhatAPlainLoopFinds) {
  MadeValues maker;
  std::vector<int64_t> whole(200);
  std::vector<double> floats(200);
  std::vector<uint32_t> numbers(200);
  for (size_t i = 0; i < 200; ++i) {
    whole[i] = static_cast<int64_t>(i);
    floats[i] = static_cast<double>(i) / 4;
    numbers[i] = static_cast<uint32_t>(i % 3 + 1);
  }
  whole[150] = int64_t{1} << 40;
  floats[180] = 0.1;
  const RowBatch batch = batch_of(
      maker,
      {maker.cells(Type::Int64, whole), maker.with_nulls(maker.cells(Type::Int64, whole), {150}),
       maker.with_nulls(maker.cells(Type::Int64, whole), {100}),
       maker.cells(Type::Float64, floats),
       maker.with_nulls(maker.keys(3, numbers, maker.texts({"x", "y", "z"})), {77})});
  for (const uint64_t batch_size : {1, 7, 64, 1000}) {
    std::vector<Trial> trials(batch.columns.size());
    for (uint64_t i = 0; i < trials.size(); ++i) {
      trials[i].column = i;
      trials[i].candidates.push_back({batch.columns[i].type, false});
      for (const Type& type : cast_candidates(batch.columns[i].type)) {
        trials[i].candidates.push_back({type, true});
        trials[i].candidates.push_back({type, false});
      }
    }
    run_trials(*batch_rows(batch, batch_size), trials, {});
    for (const Trial& trial : trials) {
      const Values& values = batch.columns[trial.column];
      for (const Candidate& candidate : trial.candidates) {
        SCOPED_TRACE(concat(values.type.name(), " as ", candidate.type.name()));
        expect_same(candidate.fault, plain_fault(values, candidate));
      }
    }
    EXPECT_EQ(trials[1].null_count, 1u);
  }
}

TEST(Trial, TellsNullItemsFromNullRows) {
  MadeValues maker;
  const Values items = maker.with_nulls(maker.cells<int32_t>(Type::Int32, {1, 2, 3, 4}), {0, 2});
  const Values lists = maker.lists(items, {1, 2, 2, 4});
  std::vector<Trial> trials(1);
  trials[0].candidates = {{lists.type, true, false},
                          {lists.type, false, true},
                          {Type::vector(Type::Int8), true, false}};
  run_trials(*batch_rows(batch_of(maker, {lists}), 2), trials, {});
  expect_same(trials[0].candidates[0].fault, CastFault{2, "partly null"});
  expect_same(trials[0].candidates[1].fault, std::nullopt);
  expect_same(trials[0].candidates[2].fault, CastFault{2, "partly null"});
  EXPECT_EQ(trials[0].null_count, 0u);
}

std::optional<NumberRange> range_of(MadeValues& maker, const Values& values) {
  std::vector<Trial> trials(1);
  trials[0].wants_range = true;
  run_trials(*batch_rows(batch_of(maker, {values}), 3), trials, {});
  return trials[0].range;
}

void expect_range(const std::optional<NumberRange>& range, double least, double largest,
                  bool whole) {
  ASSERT_TRUE(range);
  EXPECT_EQ(range->least, least);
  EXPECT_EQ(range->largest, largest);
  EXPECT_EQ(range->whole, whole);
}

TEST(Trial, FindsRanges) {
  MadeValues maker;
  const Values whole = maker.cells<int64_t>(Type::Int64, {3, -7, 100, 5, INT64_MIN});
  expect_range(range_of(maker, whole), -0x1p63, 100, true);
  expect_range(range_of(maker, maker.with_nulls(whole, {2, 4})), -7, 5, true);
  expect_range(range_of(maker, maker.cells<uint64_t>(Type::UInt64, {UINT64_MAX})), 0x1p64, 0x1p64,
               true);
  expect_range(range_of(maker, maker.bools({true, true})), 1, 1, true);
  expect_range(range_of(maker, maker.with_nulls(maker.bools({false, true}), {1})), 0, 0, true);
  expect_range(range_of(maker, maker.cells<float>(Type::Float32, {NAN, 2, NAN, NAN, -3})), -3, 2,
               true);
  expect_range(range_of(maker, maker.cells<double>(Type::Float64, {2, 2.5, 3, 4})), 2, 4, false);
  expect_range(range_of(maker, maker.cells<double>(Type::Float64, {2, 3, 4, -1, INFINITY})), -1,
               INFINITY, false);
  EXPECT_FALSE(range_of(maker, maker.cells<double>(Type::Float64, {NAN, NAN, NAN, NAN})));
  EXPECT_FALSE(range_of(maker, maker.with_nulls(maker.cells<int8_t>(Type::Int8, {1}), {0})));
  EXPECT_FALSE(range_of(maker, maker.cells<int8_t>(Type::Int8, {})));
}

TEST(Trial, GoesOnWithWhatWasFoundBefore) {
  MadeValues maker;
  std::vector<Trial> trials(1);
  trials[0].wants_range = true;
  trials[0].candidates = {{Type::Int8}, {Type::Int16}};
  for (const int32_t value : {200, 5, -3}) {
    run_trials(*batch_rows(batch_of(maker, {maker.cells<int32_t>(Type::Int32, {7, value})}), 1),
               trials, {});
  }
  expect_same(trials[0].candidates[0].fault, CastFault{1, "200"});
  expect_same(trials[0].candidates[1].fault, std::nullopt);
  expect_range(trials[0].range, -3, 200, true);
}

// The test counts batches by the steps that their source reports.
TEST(Trial, StopsWhereNothingIsLeftToFindOut) {
  MadeValues maker;
  std::vector<int32_t> cells(100, 1);
  cells[4] = 1000;
  const auto rows = batch_rows(batch_of(maker, {maker.cells(Type::Int32, cells)}), 1);
  const auto batches = [&](bool wants_range, Type::Id type) {
    std::vector<Trial> trials(1);
    trials[0].wants_range = wants_range;
    trials[0].candidates = {{type}};
    uint64_t steps = 0;
    Context context;
    context.progress = [&](uint64_t, uint64_t) { ++steps; };
    run_trials(*rows, trials, context);
    return steps;
  };
  EXPECT_EQ(batches(false, Type::Int8), 5u);
  EXPECT_EQ(batches(false, Type::Int16), 101u);
  EXPECT_EQ(batches(true, Type::Int8), 101u);
}

TEST(Trial, CanBeCancelled) {
  MadeValues maker;
  const auto rows = batch_rows(batch_of(maker, {maker.cells<int32_t>(Type::Int32, {1, 2})}), 1);
  std::atomic<bool> cancel = true;
  std::vector<Trial> trials(1);
  trials[0].wants_range = true;
  Context context;
  context.cancel = &cancel;
  test::error_of(ErrorKind::Cancelled, [&] { run_trials(*rows, trials, context); });
}

}  // namespace
}  // namespace heron
