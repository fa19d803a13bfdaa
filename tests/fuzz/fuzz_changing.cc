// A file in which numbers change right after a query loaded them: the first byte chooses a file, the
// second a query, the next two a number that it loads more than once; the rest is a seed of what
// becomes of it. A query is answered or ends in an Error. Nothing is tried where the system does not
// let a program watch bytes.
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "kit/changed_after_load.h"
#include "kit/watched_source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static std::vector<heron::ChangedFile> files(heron::kChangedFiles.begin(),
                                               heron::kChangedFiles.end());
  static const bool is_possible = heron::WatchedSource::is_possible();
  constexpr size_t kHead = 4;
  if (bytes < kHead || !is_possible) return 0;
  heron::ChangedFile& file = files[data[0] % files.size()];
  const heron::Question& question = heron::questions()[data[1] % heron::questions().size()];
  const std::vector<uint32_t>& offsets = file.reloaded(question);
  if (offsets.empty()) return 0;
  std::seed_seq seed(data + kHead, data + bytes);
  std::mt19937_64 random(seed);
  file.ask(question, offsets[(data[2] | size_t{data[3]} << 8) % offsets.size()], random);
  return 0;
}
