#include "sort/sorter.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

#include "sort/radix_sort.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kEntryBytes = 32;  // an entry and the memory that it is moved to
constexpr uint64_t kSize = sizeof(uint64_t);  // stored before each record, in memory and in files
constexpr uint64_t kMinBlock = uint64_t{16} << 10;
constexpr uint64_t kMaxBlock = uint64_t{1} << 20;
constexpr uint64_t kWriteBytes = uint64_t{1} << 20;
constexpr uint64_t kMinRead = uint64_t{4} << 10;
constexpr uint64_t kMaxRead = uint64_t{1} << 20;
constexpr uint64_t kMaxRuns = 512;
// With a limit, twice as many records and kSpare more are collected before records beyond it are
// dropped.
constexpr uint64_t kSpare = 4096;
constexpr uint64_t kMaxPruned = UINT64_MAX / 4;

std::string_view stored_at(uint64_t address) noexcept {
  const char* record = reinterpret_cast<const char*>(address);
  uint64_t size;
  std::memcpy(&size, record, kSize);
  return {record + kSize, size};
}

struct RecordIsBefore {
  template <class Entry>
  bool operator()(const Entry& a, const Entry& b) const noexcept {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return stored_at(a.rest) < stored_at(b.rest);
  }
};

struct PairIsBefore {
  template <class Entry>
  bool operator()(const Entry& a, const Entry& b) const noexcept {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return a.rest < b.rest;
  }
};

}  // namespace

uint64_t sort_memory(uint64_t most, const Context& context) noexcept {
  return context.memory == nullptr ? most : std::min(most, context.memory->limit() / 4);
}

Sorter::Sorter(SortOptions options, const Context& context)
    : options_(std::move(options)),
      context_(context),
      most_runs_(std::clamp<uint64_t>(options_.memory_bytes / kMinRead, 2, kMaxRuns)),
      charge_(context.memory) {
  context_.progress = nullptr;
}

char* Sorter::allocate(uint64_t bytes) {
  if (bytes > free_) {
    const uint64_t most = std::clamp(options_.memory_bytes / 8, kMinBlock, kMaxBlock);
    block_ = std::max(bytes, std::clamp(2 * block_, kMinBlock, most));
    held_ += block_;
    charge_.grow_to(held_ + entries_.capacity() * kEntryBytes);
    next_ = blocks_.emplace_back(new char[block_]).get();
    free_ = block_;
  }
  free_ -= bytes;
  return std::exchange(next_, next_ + bytes);
}

uint64_t Sorter::store(std::string_view key, std::string_view rest, std::string_view tail) {
  const uint64_t size = key.size() + rest.size() + tail.size();
  char* record = allocate(kSize + size);
  std::memcpy(record, &size, kSize);
  char* to = record + kSize;
  for (const std::string_view part : {key, rest, tail}) {
    if (!part.empty()) std::memcpy(to, part.data(), part.size());
    to += part.size();
  }
  return reinterpret_cast<uint64_t>(record);
}

void Sorter::add(std::string_view key, std::string_view rest, std::string_view tail) {
  if (!bound_.empty()) {
    const std::string_view bound = bound_;
    const int compared = key.compare(bound.substr(0, key.size()));
    if (compared > 0 || (compared == 0 && rest > bound.substr(key.size()))) return;
  }
  const uint64_t stored = store(key, rest, tail);
  const std::string_view record = stored_at(stored);
  if (entries_.empty()) {
    shared_ = record.size();
  } else {
    share(shared_bytes(stored_at(entries_[0].rest).substr(0, shared_), record));
  }
  entries_.push_back({key_prefix(record, shared_), stored});
  after_adding();
}

void Sorter::add(Sorter&& others) {
  if (others.entries_.empty()) return;
  if (options_.numbers) {
    pairs_ += others.entries_.size();
    parts_.push_back(std::move(others.entries_));
    charge_.grow_to(pairs_ * kEntryBytes);
    return after_adding();
  }
  if (entries_.empty()) {
    shared_ = others.shared_;
  } else {
    share(shared_bytes(stored_at(entries_[0].rest).substr(0, shared_),
                       stored_at(others.entries_[0].rest).substr(0, others.shared_)));
    others.share(shared_);
  }
  std::ranges::move(others.blocks_, std::back_inserter(blocks_));
  entries_.append(others.entries_.data(), others.entries_.size());
  held_ += others.held_;
  charge_.grow_to(held_ + entries_.capacity() * kEntryBytes);
  // Drops records early: the sooner the bound is known, the less is read.
  const uint64_t enough = bound_.empty() ? options_.limit : 2 * options_.limit;
  if (options_.limit <= kMaxPruned && entries_.size() >= enough) prune();
  after_adding();
}

void Sorter::after_adding() {
  const auto is_full = [&] {
    return held_ - free_ + (pairs_ + entries_.size()) * kEntryBytes > options_.memory_bytes;
  };
  const uint64_t spare = is_full() ? 1 : kSpare;
  if (options_.limit <= kMaxPruned && entries_.size() >= 2 * options_.limit + spare) prune();
  if (is_full()) spill();
}

void Sorter::share(uint64_t bytes) {
  if (std::exchange(shared_, bytes) == bytes) return;
  for (Entry& entry : entries_) entry.prefix = key_prefix(stored_at(entry.rest), shared_);
}

void Sorter::prune() {
  const uint64_t limit = options_.limit;
  if (limit != 0) {
    std::nth_element(entries_.begin(), entries_.begin() + limit - 1, entries_.end(),
                     RecordIsBefore());
    bound_ = stored_at(entries_[limit - 1].rest);
  }
  entries_.truncate(limit);
  const auto dropped = std::exchange(blocks_, {});
  held_ = free_ = block_ = 0;  // small blocks stay in the cache
  for (Entry& entry : entries_) entry.rest = store(stored_at(entry.rest), {}, {});
}

void Sorter::sort() {
  if (entries_.size() > options_.limit) prune();
  if (!entries_.empty()) parts_.push_back(std::move(entries_));
  pairs_ = 0;
  auto parts = std::exchange(parts_, {});
  entries_ = options_.numbers
                 ? RadixSort<Entry, PairIsBefore>({}, context_)(std::move(parts))
                 : RadixSort<Entry, RecordIsBefore>({}, context_)(std::move(parts));
}

void Sorter::spill() {
  sort();
  spilled_ += entries_.size();
  write_run(0, SortedRecords({entries_.data(), entries_.size()}, options_.numbers));
  entries_.truncate(0);
  blocks_.clear();
  held_ = free_ = 0;
}

// Runs of a level are of similar length; merged, they become one run of the next level.
void Sorter::write_run(uint64_t level, SortedRecords&& records) {
  if (level == levels_.size()) levels_.emplace_back();
  Level& to = levels_[level];
  if (to.file == nullptr) to.file = std::make_unique<ScratchFile>(options_.path);
  const uint64_t first = to.bytes;
  std::vector<std::byte> buffer(kWriteBytes);
  uint64_t used = 0;
  const auto flush = [&] {
    context_.check_cancelled();
    to.file->write_at(to.bytes, std::span(buffer).first(used));
    to.bytes += std::exchange(used, 0);
  };
  for (std::string_view record; records.next(record);) {
    const uint64_t size = record.size();
    if (kSize + size > buffer.size() - used) {
      flush();
      buffer.resize(std::max(buffer.size(), kSize + size));
    }
    std::memcpy(buffer.data() + used, &size, kSize);
    std::memcpy(buffer.data() + used + kSize, record.data(), size);
    used += kSize + size;
  }
  flush();
  to.runs.push_back({first, to.bytes});
  if (to.runs.size() < most_runs_) return;
  const Level full = std::exchange(to, {});
  write_run(level + 1, SortedRecords({&full, 1}, options_));
}

void Sorter::finish() {
  if (!has_spilled()) {
    sort();
  } else if (!entries_.empty() || !parts_.empty()) {
    spill();
  }
}

SortedRecords::SortedRecords(std::span<const Sorter::Entry> entries, bool numbers)
    : entries_(entries), numbers_(numbers), limit_(entries.size()) {}

SortedRecords::SortedRecords(std::span<const Sorter::Level> levels, const SortOptions& options)
    : limit_(options.limit) {
  uint64_t runs = 0;
  for (const Sorter::Level& level : levels) runs += level.runs.size();
  const uint64_t share = options.memory_bytes / std::max<uint64_t>(runs, 1);
  read_bytes_ = std::clamp(share, kMinRead, kMaxRead);
  cursors_.reserve(runs);
  for (const Sorter::Level& level : levels) {
    for (const auto& run : level.runs) {
      Cursor& cursor = cursors_.emplace_back(Cursor{level.file.get(), run.first, run.last});
      if (advance(cursor)) heap_.push_back(&cursor);
    }
  }
  std::ranges::make_heap(heap_, std::greater(), &Cursor::record);
}

SortedRecords::SortedRecords(const Sorter& sorter)
    : SortedRecords(sorter.levels_, sorter.options_) {
  entries_ = {sorter.entries_.data(), sorter.entries_.size()};
  numbers_ = sorter.options_.numbers;
  limit_ = sorter.size();
}

bool SortedRecords::next(std::string_view& record) {
  if (given_ == limit_) return false;
  if (cursors_.empty() && numbers_) {
    const Sorter::Entry& entry = entries_[given_++];
    std::ranges::copy(sortable(entry.prefix), pair_.begin());
    std::ranges::copy(sortable(entry.rest), pair_.begin() + 8);
    record = {pair_.data(), pair_.size()};
    return true;
  }
  if (cursors_.empty()) {
    constexpr uint64_t kAhead = 16;
    if (given_ + kAhead < limit_) {
      const char* later = reinterpret_cast<const char*>(entries_[given_ + kAhead].rest);
      __builtin_prefetch(later);
      __builtin_prefetch(later + 64);  // may be behind the record: prefetching is harmless
    }
    record = stored_at(entries_[given_++].rest);
    return true;
  }
  if (given_ != 0) {
    if (!advance(*heap_.front())) {
      heap_.front() = heap_.back();
      heap_.pop_back();
    }
    sift();
  }
  if (heap_.empty()) return false;
  ++given_;
  record = heap_.front()->record;
  return true;
}

void SortedRecords::sift() {
  const auto below = [](const Cursor* a, const Cursor* b) {
    return a->prefix != b->prefix ? a->prefix < b->prefix : a->record < b->record;
  };
  for (uint64_t at = 0, child = 1; child < heap_.size(); child = 2 * at + 1) {
    if (child + 1 < heap_.size() && below(heap_[child + 1], heap_[child])) ++child;
    if (!below(heap_[child], heap_[at])) return;
    std::swap(heap_[at], heap_[child]);
    at = child;
  }
}

bool SortedRecords::advance(Cursor& cursor) const {
  if (cursor.used == cursor.buffer.size() && cursor.next == cursor.last) return false;
  uint64_t size;
  fill(cursor, kSize);
  std::memcpy(&size, cursor.buffer.data() + cursor.used, kSize);
  cursor.used += kSize;
  fill(cursor, size);
  cursor.record = {reinterpret_cast<const char*>(cursor.buffer.data()) + cursor.used, size};
  cursor.prefix = key_prefix(cursor.record, 0);
  cursor.used += size;
  return true;
}

void SortedRecords::fill(Cursor& cursor, uint64_t bytes) const {
  const uint64_t left = cursor.buffer.size() - cursor.used;
  if (left >= bytes) return;
  std::copy(cursor.buffer.end() - static_cast<ptrdiff_t>(left), cursor.buffer.end(),
            cursor.buffer.begin());
  const uint64_t more = std::min(std::max(read_bytes_, bytes) - left, cursor.last - cursor.next);
  cursor.buffer.resize(left + more);
  cursor.file->read_at(cursor.next, std::span(cursor.buffer).subspan(left));
  cursor.next += more;
  cursor.used = 0;
}

std::array<char, 8> sortable(uint64_t number) noexcept {
  std::array<char, 8> bytes;
  for (uint64_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(number >> (56 - 8 * i));
  }
  return bytes;
}

uint64_t number_at_end(std::string_view record) noexcept {
  return key_prefix(record, record.size() - sizeof(uint64_t));
}

}  // namespace heron::inline v0
