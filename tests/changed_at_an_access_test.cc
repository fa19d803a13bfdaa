// A file that changes at any of its accesses while a query reads it: every query is answered or ends
// in an Error, whichever access is the last before the change.
#include <gtest/gtest.h>

#include <random>

#include "files/open.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/number_runs.h"
#include "kit/questions.h"
#include "kit/real_files.h"
#include "kit/stepped_source.h"

namespace heron {
namespace {

constexpr uint64_t kNever = UINT64_MAX;

// Returns how often the bytes are accessed up to the change.
uint64_t ask(const Question& question, std::span<const std::byte> first,
             std::span<const std::byte> then, uint64_t accesses) {
  const auto source = std::make_shared<SteppedSource>(first, then, accesses);
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{64} << 20);
  context.threads = 1;
  try {
    Said said;
    question.ask(*open_source(source, {}, context), context, said);
  } catch (const Error&) {
  }
  return source->accesses();
}

TEST(SteppedSource, ChangesAtTheChosenAccess) {
  if (!kCountsAccesses) GTEST_SKIP() << "accesses cannot be counted";
  const std::vector<std::byte> first(100, std::byte{1}), then(100, std::byte{2});
  for (uint64_t accesses = 0; accesses < 4; ++accesses) {
    const SteppedSource source(first, then, accesses);
    const volatile std::byte* bytes = source.base();
    for (uint64_t i = 0; i < 4; ++i) {
      const std::byte got = bytes[i * 10];
      EXPECT_EQ(got, i < accesses ? std::byte{1} : std::byte{2}) << accesses << ' ' << i;
    }
    EXPECT_EQ(source.accesses(), accesses);
  }
}

class ChangedAtAnAccess : public testing::TestWithParam<const char*> {};

TEST_P(ChangedAtAnAccess, GivesAnAnswerOrAnError) {
  if (!kCountsAccesses) GTEST_SKIP() << "accesses cannot be counted";
  const std::string_view path = GetParam();
  const std::vector<std::byte> first = read_file(data_dir() / path);
  const auto numbers = number_runs(path.substr(0, path.find('/')), first);
  std::mt19937_64 random(first.size());
  for (const Question& question : questions()) {
    const uint64_t all = ask(question, first, first, kNever);
    if (all == 0) continue;
    for (uint64_t i = 0; i < tries(4); ++i) {
      std::vector<std::byte> then = first;
      mutate_numbers(then, then.size(), numbers, random);
      ask(question, first, then, random() % all);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ChangedAtAnAccess,
                         testing::Values("jay/types_stats.jay", "jay/arr32_nested.jay",
                                         "idv/vectors_dense_fixed_none.idv",
                                         "idv/keys_deflate_rpb32.idv",
                                         "idv/scalars_all_none_1block.idv",
                                         "jforests/types_ranking.bin", "balsa/m-nine-types.balsa",
                                         "balsa/tree-fl32.balsa", "arrow/views_and_runs_one.arrow",
                                         "arrow/dictionary_deltas_file.arrow"),
                         [](const auto& test) {
                           std::string name;
                           for (const char c : std::string_view(test.param)) {
                             name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace heron
