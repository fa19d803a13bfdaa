#include "sort/key_runs.h"

#include <algorithm>
#include <cstring>

namespace heron::inline v0 {
namespace {

constexpr uint64_t kWriteBytes = uint64_t{1} << 20;
constexpr uint64_t kReadBytes = uint64_t{64} << 10;

// Precedes the bytes of a key.
struct KeyRecord {
  uint64_t row;
  uint64_t bytes;
};

// The order of the heap, which has the next row in front.
struct IsBehind {
  template <class Cursor>
  bool operator()(const Cursor* a, const Cursor* b) const noexcept {
    const int compared = a->key.compare(b->key);
    return compared != 0 ? compared > 0 : a->row > b->row;
  }
};

}  // namespace

void KeyRuns::add(std::string_view key, uint64_t row) {
  const KeyRecord record = {row, key.size()};
  const auto* head = reinterpret_cast<const std::byte*>(&record);
  const auto* bytes = reinterpret_cast<const std::byte*>(key.data());
  buffer_.insert(buffer_.end(), head, head + sizeof record);
  buffer_.insert(buffer_.end(), bytes, bytes + key.size());
  ++rows_;
  if (buffer_.size() >= kWriteBytes) flush();
}

void KeyRuns::end_run() {
  flush();
  runs_.push_back({run_begin_, written_});
  run_begin_ = written_;
}

void KeyRuns::flush() {
  if (buffer_.empty()) return;
  file_.write_at(written_, buffer_);
  written_ += buffer_.size();
  buffer_.clear();
}

KeyMerge::KeyMerge(const KeyRuns& runs) : file_(runs.file_) {
  cursors_.reserve(runs.runs_.size());
  for (const KeyRuns::Run& run : runs.runs_) {
    Cursor& cursor = cursors_.emplace_back();
    cursor.next = run.first;
    cursor.last = run.last;
    if (advance(cursor)) heap_.push_back(&cursor);
  }
  std::make_heap(heap_.begin(), heap_.end(), IsBehind());
}

bool KeyMerge::next(uint64_t& row) {
  if (heap_.empty()) return false;
  std::pop_heap(heap_.begin(), heap_.end(), IsBehind());
  Cursor& first = *heap_.back();
  row = first.row;
  if (advance(first)) {
    std::push_heap(heap_.begin(), heap_.end(), IsBehind());
  } else {
    heap_.pop_back();
  }
  return true;
}

bool KeyMerge::advance(Cursor& cursor) const {
  if (cursor.used == cursor.buffer.size() && cursor.next == cursor.last) return false;
  KeyRecord record;
  fill(cursor, sizeof record);
  std::memcpy(&record, cursor.buffer.data() + cursor.used, sizeof record);
  cursor.used += sizeof record;
  fill(cursor, record.bytes);
  cursor.row = record.row;
  cursor.key = {reinterpret_cast<const char*>(cursor.buffer.data()) + cursor.used, record.bytes};
  cursor.used += record.bytes;
  return true;
}

void KeyMerge::fill(Cursor& cursor, uint64_t bytes) const {
  const uint64_t left = cursor.buffer.size() - cursor.used;
  if (left >= bytes) return;
  std::copy(cursor.buffer.end() - static_cast<ptrdiff_t>(left), cursor.buffer.end(),
            cursor.buffer.begin());
  const uint64_t more = std::min(std::max(kReadBytes, bytes) - left, cursor.last - cursor.next);
  cursor.buffer.resize(left + more);
  file_.read_at(cursor.next, std::span(cursor.buffer).subspan(left));
  cursor.next += more;
  cursor.used = 0;
}

}  // namespace heron::inline v0
