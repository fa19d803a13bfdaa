#include "table/joined_source.h"

#include <algorithm>

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMostScattered = 16;

uint64_t size_of(const std::vector<std::shared_ptr<const ByteSource>>& sources) {
  uint64_t size = 0;
  for (const auto& source : sources) {
    if (source->size() > UINT64_MAX - size) {
      fail(ErrorKind::Limit, source->name(), "the files together have more bytes than are counted");
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

bool JoinedSource::may_be_cold(uint64_t least_bytes) const noexcept {
  return std::any_of(sources_.begin(), sources_.end(),
                     [&](const auto& source) { return source->may_be_cold(least_bytes); });
}

template <class Work>
void JoinedSource::split(std::span<const ByteRange> ranges, Work work) const {
  uint64_t begin = 0;
  for (const auto& source : sources_) {
    const uint64_t end = begin + source->size();
    for (const ByteRange& range : ranges) {
      const uint64_t first = std::max(range.offset, begin), last = std::min(range.end(), end);
      if (first < last) work(*source, ByteRange{first - begin, last - first});
    }
    begin = end;
  }
}

bool JoinedSource::can_prefetch() const noexcept {
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const auto& source) { return source->can_prefetch(); });
}

bool JoinedSource::any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept {
  bool any = false;
  if (offsets.empty()) {
    for (const auto& source : sources_) any |= source->any_cold({}, own);
  }
  for (const uint64_t offset : offsets) {
    const ByteRange one{offset, 1};
    split({&one, 1}, [&](const ByteSource& source, const ByteRange& there) {
      any |= source.any_cold({&there.offset, 1}, own);
    });
  }
  return any;
}

uint64_t JoinedSource::prefetch(std::span<const ByteRange> ranges, bool are_far) const noexcept {
  uint64_t bytes = 0;
  split(ranges, [&](const ByteSource& source, const ByteRange& there) {
    bytes += source.prefetch({&there, 1}, are_far);
  });
  return bytes;
}

bool JoinedSource::releases() const noexcept {
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const auto& source) { return source->releases(); });
}

void JoinedSource::release(std::span<const ByteRange> ranges) const noexcept {
  split(ranges, [](const ByteSource& source, const ByteRange& there) {
    source.release({&there, 1});
  });
}

// Of many files each is small beside what is read around a page, and a call each would be dear.
void JoinedSource::begin_scattered() const noexcept {
  if (sources_.size() > kMostScattered) return;
  for (const auto& source : sources_) source->begin_scattered();
}

void JoinedSource::end_scattered() const noexcept {
  if (sources_.size() > kMostScattered) return;
  for (const auto& source : sources_) source->end_scattered();
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
