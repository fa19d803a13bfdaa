#include "heron/dataset.h"

#include "bytes/byte_source.h"

namespace heron::inline v0 {

const std::string& Dataset::path() const noexcept {
  return file_->name();
}
uint64_t Dataset::size_bytes() const noexcept {
  return file_->size();
}
std::vector<Counter> Dataset::counters() const {
  std::vector<Counter> all = bytes_->counters();
  if (parts_.counters) {
    for (Counter& one : parts_.counters()) all.push_back(std::move(one));
  }
  return all;
}

const std::shared_ptr<const Table>& Dataset::table(std::string_view name) const {
  std::string names;
  for (const auto& table : parts_.tables) {
    if (name.empty() || table->name() == name) return table;
    names += concat(names.empty() ? "" : ", ", table->name());
  }
  if (name.empty()) fail(ErrorKind::Argument, path(), "the file has no tables");
  fail(ErrorKind::Argument, path(), "no table \"", name, "\"; there are: ", names);
}

}  // namespace heron::inline v0
