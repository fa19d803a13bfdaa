// The same file read in four ways, mapped, by the kernels for any processor, with pread and with an
// index beside it, gives the same answers: the input is a file, of whatever format it is detected
// to be; two queries are chosen by its content. An index may answer a query that the file alone
// does not.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/baseline_kernels.h"
#include "bytes/memory_source.h"
#include "files/detect.h"
#include "files/open.h"
#include "fuzz/structured.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/questions.h"
#include "temp_folder.h"

namespace heron {
namespace {

// A checksum of an answer, or the kind of the Error.
using Outcome = std::pair<std::optional<uint64_t>, ErrorKind>;

// A budget of memory is spent otherwise by each way, so that running out of it is no difference.
bool is_comparable(const Outcome& outcome) {
  return outcome.first || (outcome.second != ErrorKind::Limit && outcome.second != ErrorKind::Io);
}

Context context_of() {
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{64} << 20);
  context.threads = 1;
  return context;
}

// A payload that claims more than this is refused, instead of decoded for seconds.
OpenOptions options_of() {
  OpenOptions options;
  options.max_decode = uint64_t{1} << 20;
  return options;
}

template <class Open>
Outcome outcome_of(const Question& question, Open open) {
  try {
    Said said;
    question.ask(*open(), context_of(), said);
    return {said.sum(), {}};
  } catch (const Error& error) {
    return {std::nullopt, error.kind()};
  }
}

void require(bool same, const Question& question, const char* way) {
  if (same) return;
  std::fprintf(stderr, "%s: %s differs\n", question.name, way);
  std::abort();
}

// The file on disk, with an index if one can be made.
class OnDisk {
 public:
  explicit OnDisk(std::span<const std::byte> bytes) {
    const char* text = reinterpret_cast<const char*>(bytes.data());
    path_ = folder().write("file", {text, bytes.size()});
    std::remove((path_ + ".heron").c_str());
    try {
      write_index(path_, {}, context_of());
      is_indexed_ = true;
    } catch (const Error&) {
    }
  }
  bool is_indexed() const { return is_indexed_; }
  std::shared_ptr<const File> open() const {
    return heron::open(path_, options_of(), context_of());
  }

 private:
  static const test::TempFolder& folder() {
    static const test::TempFolder made(test::memory_folder());
    return made;
  }
  std::string path_;
  bool is_indexed_ = false;
};

void ask(std::span<const std::byte> bytes) {
  const auto mapped = std::make_shared<MemorySource>("file", bytes);
  const auto copied =
      std::make_shared<CopyingSource>("file", std::vector<std::byte>(bytes.begin(), bytes.end()));
  std::optional<OnDisk> disk;
  uint64_t sum = 0;
  for (const std::byte byte : bytes) sum = sum * 31 + std::to_integer<uint64_t>(byte);
  for (const uint64_t number : {sum, sum / 16}) {
    const Question& question = questions()[number % questions().size()];
    const Outcome first =
        outcome_of(question, [&] { return open_source(mapped, options_of(), context_of()); });
    use_baseline_kernels(true);
    const Outcome baseline =
        outcome_of(question, [&] { return open_source(mapped, options_of(), context_of()); });
    use_baseline_kernels(false);
    require(first == baseline, question, "the baseline's kernels");
    const Outcome second =
        outcome_of(question, [&] { return open_source(copied, options_of(), context_of()); });
    if (!is_comparable(first) || !is_comparable(second)) continue;
    require(first == second, question, "pread");
    // The schema reports more with an index, and verify reports the file's path.
    const std::string_view name = question.name;
    if (!first.first || name == "schema" || name == "verify") continue;
    if (!disk) disk.emplace(bytes);
    if (!disk->is_indexed()) continue;
    const Outcome third = outcome_of(question, [&] { return disk->open(); });
    require(first == third || !is_comparable(third), question, "an index");
  }
}

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  heron::ask(std::as_bytes(std::span(data, bytes)));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity,
                                          unsigned seed) {
  const auto file = std::as_bytes(std::span(data, size));
  const heron::Detected detected =
      heron::detect(heron::MemorySource("file", file), heron::ByteOrigin::File, {});
  return heron::mutate_file(detected.format == nullptr ? "" : detected.format->name,
                            {data, capacity}, size, seed);
}
