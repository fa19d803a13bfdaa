// Predicates on tables of every kind of column: the first byte chooses the table, the rest is the
// predicate.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "heron/heron.h"
#include "kit/real_files.h"

namespace heron {
namespace {

constexpr std::array kFiles{
    "jay/types_stats.jay",        "jay/names_odd.jay",          "idv/scalars_all_deflate_rpb16.idv",
    "idv/keys_deflate_rpb32.idv", "idv/vector_shapes_none.idv", "jforests/types_ranking.bin"};

const std::shared_ptr<const Table>& table(size_t number) {
  static const auto opened = [] {
    std::array<std::shared_ptr<const File>, kFiles.size()> files;
    for (size_t i = 0; i < kFiles.size(); ++i) files[i] = open(data_dir() / kFiles[i]);
    return files;
  }();
  return opened[number % kFiles.size()]->table();
}

// Returns whether an error is one that the header names, and one line.
bool is_promised(const Error& error) {
  const std::string_view text = error.what();
  return text.find('\n') == std::string_view::npos &&
         (error.kind() == ErrorKind::Argument || error.kind() == ErrorKind::Limit ||
          error.kind() == ErrorKind::Unsupported);
}

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  if (bytes == 0) return 0;
  const auto& table = heron::table(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, bytes - 1);
  std::unique_ptr<const heron::Predicate> predicate;
  try {
    predicate = std::make_unique<const heron::Predicate>(table, text);
  } catch (const heron::Error& error) {
    if (!heron::is_promised(error)) std::abort();
    return 0;
  }
  // All values are known and readable: count() must not fail.
  if (heron::count(*predicate) > table->rows()) std::abort();
  if (!std::ranges::is_sorted(predicate->columns())) std::abort();
  return 0;
}
