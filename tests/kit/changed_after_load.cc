#include "kit/changed_after_load.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <span>
#include <string>

#include "files/open.h"
#include "heron/heron.h"
#include "kit/number_runs.h"
#include "kit/real_files.h"
#include "kit/traced_source.h"
#include "kit/watched_source.h"
#include "temp_folder.h"

namespace heron::inline v0 {
namespace {

constexpr size_t kVectorBytes = 32, kWordBytes = 8;  // what one instruction loads at most

std::vector<std::byte> file_of(std::string_view path) {
  if (!path.starts_with("made/")) return read_file(data_dir() / path);
  const bool is_record = path.ends_with(".jay");
  const auto table =
      open(data_dir() / (is_record ? "jay/wide_2000.jay" : "idv/keys_deflate_rpb32.idv"))->table();
  Query query(table);
  if (is_record) {
    std::vector<std::string> names(60);  // a record of more than 4,096 bytes
    for (uint64_t i = 0; i < names.size(); ++i) names[i] = table->column_name(i);
    query.columns = names;
  }
  ConvertOptions options;
  if (!is_record) options.write.set("compression", 0);
  const test::TempFolder folder;
  const std::string to = folder / path.substr(5);
  convert(table_rows(query), to, options);
  return read_file(to);
}

void put(const Question& question, const std::shared_ptr<const ByteSource>& source) {
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{64} << 20);
  context.threads = 1;
  try {
    Said said;
    question.ask(*open_source(source, {}, context), context, said);
  } catch (const Error&) {
  }
}

// Returns the bytes that may be covered by two accesses of a trace, the widths of which are unknown: by
// two words, or by a vector after an access that begins there.
std::vector<uint32_t> covered_again(std::span<const uint32_t> trace, size_t bytes) {
  std::vector<bool> again(bytes);
  std::vector<uint32_t> begun(bytes);  // how many accesses begin here, from the last one back
  const auto begun_within = [&](size_t at, size_t width) {
    const auto end = begun.begin() + static_cast<ptrdiff_t>(at) + 1;
    return std::accumulate(end - static_cast<ptrdiff_t>(std::min(at + 1, width)), end, uint64_t{0});
  };
  for (uint64_t i = trace.size(); i > 0; --i) {
    const uint32_t at = trace[i - 1];
    if (begun_within(at, kVectorBytes) > 0) again[at] = true;
    ++begun[at];
  }
  std::vector<uint32_t> all;
  for (uint32_t at = 0; at < bytes; ++at) {
    if (again[at] || begun_within(at, kWordBytes) > 1) all.push_back(at);
  }
  return all;
}

// Changes one of the numbers that an instruction may have loaded together with the byte at `offset`.
void change_number(std::span<std::byte> bytes, size_t offset, std::mt19937_64& random) {
  NumberRun run;
  run.width = run.step = static_cast<uint8_t>(1U << random() % 4);
  run.offset = offset - (random() % 4 == 0 ? random() % std::min(offset + 1, kWordBytes) : 0);
  const size_t most = random() % 2 == 0 ? run.width : kVectorBytes;
  run.count = std::min(most, bytes.size() - run.offset) / run.width;
  if (random() % 8 == 0) run.order = std::endian::big;
  if (run.count > 0) mutate_numbers(bytes, bytes.size(), {&run, 1}, random);
}

}  // namespace

ChangedFile::ChangedFile(std::string_view path)
    : bytes_(file_of(path)), reloaded_(questions().size()) {}

const std::vector<uint32_t>& ChangedFile::reloaded(const Question& question) {
  std::vector<uint32_t>& offsets = reloaded_[static_cast<size_t>(&question - questions().data())];
  if (offsets.empty()) {
    const auto source = std::make_shared<const TracedSource>(bytes_);
    put(question, source);
    offsets = covered_again(source->trace(), bytes_.size());
  }
  return offsets;
}

void ChangedFile::ask(const Question& question, uint32_t offset, std::mt19937_64& random) {
  const std::vector<uint32_t>& offsets = reloaded(question);
  std::array<WatchedSource::Watch, WatchedSource::kMaxWatches> watches;
  const size_t count = 1 + random() % watches.size();
  for (WatchedSource::Watch& watch : watches) {
    watch = {offset, random() % 2 == 0 ? 1U : static_cast<unsigned>(1 + random() % 4)};
    offset = offsets[random() % offsets.size()];
  }
  put(question, std::make_shared<const WatchedSource>(
                    bytes_, std::span(watches).first(count),
                    [&random](std::span<std::byte> bytes, size_t at) {
                      change_number(bytes, at, random);
                    }));
}

}  // namespace heron::inline v0
