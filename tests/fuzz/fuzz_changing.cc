// Files that are written to while they are read: the first byte chooses a file, the second a query
// and how the file changes: by the rest, edits of its bytes (edits.h), or in numbers of its format
// that the rest chooses as a seed. Another thread flips the file between both contents, so that a
// number that is loaded twice is another one the second time. Each query is answered or ends in an
// Error.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/open.h"
#include "fuzz/edits.h"
#include "heron/heron.h"
#include "kit/changing_source.h"
#include "kit/number_runs.h"
#include "kit/questions.h"
#include "kit/real_files.h"

namespace heron {
namespace {

constexpr std::array kFiles{"jay/types_stats.jay",
                            "jay/arr32_nested.jay",
                            "idv/vectors_dense_fixed_none.idv",
                            "idv/keys_deflate_rpb32.idv",
                            "idv/scalars_all_none_1block.idv",
                            "jforests/types_ranking.bin",
                            "balsa/m-nine-types.balsa",
                            "balsa/tree-fl32.balsa",
                            "arrow/views_and_runs_one.arrow",
                            "arrow/dictionary_deltas_file.arrow"};

struct Content {
  std::vector<std::byte> bytes;
  std::vector<NumberRun> numbers;
};

std::vector<Content> contents() {
  std::vector<Content> all;
  for (const std::string_view path : kFiles) {
    Content& one = all.emplace_back();
    one.bytes = read_file(data_dir() / path);
    one.numbers = number_runs(path.substr(0, path.find('/')), one.bytes);
  }
  return all;
}

std::vector<std::byte> changed(const Content& content, bool in_numbers,
                               std::span<const uint8_t> rest) {
  if (!in_numbers) {
    std::string bytes(reinterpret_cast<const char*>(content.bytes.data()), content.bytes.size());
    apply_edits(bytes, rest);
    const auto edited = std::as_bytes(std::span(bytes));
    return {edited.begin(), edited.end()};
  }
  std::seed_seq seed(rest.begin(), rest.end());
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes = content.bytes;
  mutate_numbers(bytes, bytes.size(), content.numbers, random);
  return bytes;
}

void ask(const Question& question, std::vector<std::byte> first, std::vector<std::byte> others) {
  constexpr int kTimes = 4;
  const auto source = std::make_shared<ChangingSource>(std::move(first));
  const ChangingSource::Flips flips(*source, std::move(others));
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{64} << 20);
  context.threads = 1;
  for (int i = 0; i < kTimes; ++i) {
    try {
      Said said;
      question.ask(*open_source(source, {}, context), context, said);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static const auto files = heron::contents();
  if (bytes < 2) return 0;
  const heron::Content& content = files[data[0] % files.size()];
  const auto& questions = heron::questions();
  heron::ask(questions[data[1] % 128 % questions.size()], content.bytes,
             heron::changed(content, data[1] >= 128, {data + 2, bytes - 2}));
  return 0;
}
