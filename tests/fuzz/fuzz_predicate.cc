// Predicates on tables of every kind of column: the first byte chooses the table, the rest is the
// predicate.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "fuzz/tables.h"
#include "heron/heron.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  if (bytes == 0) return 0;
  const auto& table = heron::small_table(data[0]);
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
