// Files that are written to while they are read: the first byte chooses a file, the second a query,
// the rest are edits of the file (edits.h). Another thread flips the file between both contents, so
// that a number that is loaded twice is another one the second time. Each query is answered or ends
// in an Error.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "files/open.h"
#include "fuzz/edits.h"
#include "heron/heron.h"
#include "kit/changing_source.h"
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

std::vector<std::vector<std::byte>> contents() {
  std::vector<std::vector<std::byte>> all;
  for (const char* path : kFiles) all.push_back(read_file(data_dir() / path));
  return all;
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
  const std::vector<std::byte>& first = files[data[0] % files.size()];
  std::string others(reinterpret_cast<const char*>(first.data()), first.size());
  heron::apply_edits(others, {data + 2, bytes - 2});
  const auto edited = std::as_bytes(std::span(others));
  const auto& questions = heron::questions();
  heron::ask(questions[data[1] % questions.size()], first, {edited.begin(), edited.end()});
  return 0;
}
