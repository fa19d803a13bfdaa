#include "table/joined_source.h"

#include <algorithm>

#include "base/fail.h"

namespace heron::inline v0 {
namespace {

uint64_t size_of(const std::vector<std::shared_ptr<const ByteSource>>& sources) {
  uint64_t size = 0;
  for (const auto& source : sources) {
    if (source->size() > UINT64_MAX - size) {
      fail(ErrorKind::Limit, source->name(), "the files together have 2^64 bytes or more");
    }
    size += source->size();
  }
  return size;
}

void add(const std::vector<Counter>& counters, std::vector<Counter>& sums) {
  std::vector<bool> used(sums.size());
  for (const Counter& counter : counters) {
    uint64_t i = 0;
    while (i < used.size() && (used[i] || sums[i].name != counter.name)) ++i;
    if (i < used.size()) {
      used[i] = true;
      sums[i].value += counter.value;
    } else {
      sums.push_back(counter);
    }
  }
}

}  // namespace

JoinedSource::JoinedSource(std::string name, std::vector<std::shared_ptr<const ByteSource>> sources)
    : ByteSource(std::move(name), size_of(sources), nullptr), sources_(std::move(sources)) {
  may_change_ = std::any_of(sources_.begin(), sources_.end(),
                            [](const auto& source) { return source->may_change(); });
  for (const auto& source : sources_) {
    files_.insert(files_.end(), source->files().begin(), source->files().end());
  }
}

void JoinedSource::read(uint64_t offset, std::span<std::byte> into, const Context& context) const {
  for (const auto& source : sources_) {
    if (into.empty()) return;
    if (offset >= source->size()) {
      offset -= source->size();
      continue;
    }
    const uint64_t bytes = std::min<uint64_t>(into.size(), source->size() - offset);
    source->read(offset, into.first(bytes), context);
    into = into.subspan(bytes);
    offset = 0;
  }
}

void JoinedSource::find_pages(const ByteRange& range, std::vector<FileRange>& found) const {
  uint64_t begin = 0;
  for (const auto& source : sources_) {
    const uint64_t end = begin + source->size();
    const uint64_t first = std::max(range.offset, begin), last = std::min(range.end(), end);
    if (first < last) source->find_pages({first - begin, last - first}, found);
    begin = end;
  }
}

uint64_t JoinedSource::bytes_read() const noexcept {
  uint64_t bytes = 0;
  for (const auto& source : sources_) bytes += source->bytes_read();
  return bytes;
}

std::vector<Counter> JoinedSource::counters() const {
  std::vector<Counter> sums;
  for (const auto& source : sources_) add(source->counters(), sums);
  return sums;
}

void JoinedSource::check_read_of(uint64_t bytes) const {
  for (const auto& source : sources_) source->check_read_of(std::min(bytes, source->size()));
}

void JoinedSource::check_whole_read() const {
  for (const auto& source : sources_) source->check_whole_read();
}

void JoinedSource::check_lost() const {
  for (const auto& source : sources_) source->check_lost();
}

void JoinedSource::check_unchanged() const {
  for (const auto& source : sources_) source->check_unchanged();
}

const char* JoinedSource::change() const noexcept {
  for (const auto& source : sources_) {
    if (const char* how = source->change()) return how;
  }
  return nullptr;
}

}  // namespace heron::inline v0
