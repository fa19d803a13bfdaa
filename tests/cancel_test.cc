// Every long call can be cancelled, and reports its progress.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <numeric>
#include <vector>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/sums.h"

namespace heron {
namespace {

constexpr uint64_t kTableRows = 200'000;

using LongQuestion = std::function<void(const std::shared_ptr<const File>&, const Context&)>;

void scan_all(const std::shared_ptr<const File>& file, const Context& context) {
  Scan scan(file->table(), context);
  for (RowBatch batch; scan.next(batch);) continue;
}
void matrix_of_all(const std::shared_ptr<const File>& file, const Context& context) {
  std::vector<float> out(kTableRows);
  matrix(Projection(file->table()), RowRange{0, kTableRows}, std::span(out), MatrixNull::NaN,
         context);
}
void matrix_of_rows(const std::shared_ptr<const File>& file, const Context& context) {
  std::vector<uint64_t> rows(kTableRows);
  std::vector<float> out(kTableRows);
  matrix(Projection(file->table()), rows, std::span(out), MatrixNull::NaN, context);
}

const std::vector<std::pair<std::string, LongQuestion>>& long_questions() {
  static const std::vector<std::pair<std::string, LongQuestion>> all = {
      {"Scan", scan_all},
      {"Summarize", [](const auto& d, const auto& c) { stats(d->table(), c); }},
      {"Sum", [](const auto& d, const auto& c) { sum(Projection(d->table()), 0, c); }},
      {"Verify", [](const auto& d, const auto& c) { verify(*d, c); }},
      {"MatrixOfARange", matrix_of_all},
      {"MatrixOfRows", matrix_of_rows},
  };
  return all;
}

class LongQuestions : public testing::TestWithParam<std::pair<std::string, LongQuestion>> {
 protected:
  void ask(const Context& context) { GetParam().second(opened_, context); }

  std::shared_ptr<const File> opened_ =
      TableMaker(kTableRows).fixed("c", Type::Int32, std::vector<int32_t>(kTableRows, 1)).file();
};

TEST_P(LongQuestions, SayHowFarTheyAre) {
  int calls = 0;
  uint64_t before = 0, all = 0;
  Context context;
  context.progress = [&](uint64_t done, uint64_t total) {
    if (calls == 0) all = total;
    EXPECT_LE(done, total);
    EXPECT_EQ(total, all);
    EXPECT_TRUE(done >= before || done == 0) << done << " after " << before;
    before = done;
    ++calls;
  };
  ask(context);
  EXPECT_GE(calls, 3);
  EXPECT_GT(before, all / 2);
}

TEST_P(LongQuestions, StopWhenCancelledOnTheWay) {
  std::atomic<bool> cancel{false};
  int calls = 0;
  Context context;
  context.cancel = &cancel;
  context.progress = [&](uint64_t, uint64_t) { cancel = ++calls == 2; };
  EXPECT_EQ(test::error_of([&] { ask(context); }).kind(), ErrorKind::Cancelled);
  EXPECT_EQ(calls, 2);
}

TEST_P(LongQuestions, DoNothingWhenCancelledBefore) {
  const std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  context.progress = [](uint64_t, uint64_t) { ADD_FAILURE() << "went on"; };
  EXPECT_EQ(test::error_of([&] { ask(context); }).kind(), ErrorKind::Cancelled);
}

INSTANTIATE_TEST_SUITE_P(Of, LongQuestions, testing::ValuesIn(long_questions()),
                         [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace heron
