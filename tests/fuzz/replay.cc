// Runs a fuzzer's entry over files and folders of files: ctest does so where there is no fuzzing
// engine.
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "kit/guarded_bytes.h"
#include "kit/real_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes);
// The engine's mutator, which nothing calls here.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t capacity);

size_t LLVMFuzzerMutate(uint8_t*, size_t size, size_t) {
  return size;
}

namespace {

void replay(const std::filesystem::path& path) {
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);  // shows the last name if a signal ends the program
  const auto bytes = heron::read_file(path);
  heron::GuardedBytes guarded(bytes.size());
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(guarded.hold(bytes).data()),
                         bytes.size());
}

}  // namespace

// Replays all arguments. Folders that do not exist (no find so far) are ignored; if there is
// nothing to replay at all, fails.
int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      replay(entry.path());
      ++files;
    }
  }
  std::printf("%d files\n", files);
  return files > 0 ? 0 : 1;
}
