#include "csv/text_blocks.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/fail.h"
#include "base/per_thread.h"

namespace heron::inline v0::csv {

TextBlock::TextBlock(const ByteSource& source, uint64_t offset, uint64_t bytes,
                     const RecordRules& rules, uint64_t columns, uint64_t rows,
                     const std::shared_ptr<MemoryBudget>& memory, const Context& context)
    : memory_(memory, bytes + Tokens::kSlack), offset_(offset) {
  const TextPosition where = position(source, context);
  if (bytes >= Tokens::kMaxBytes) {
    fail(ErrorKind::Limit, source.name(), "line ", line_of(source, offset, context), ": the next ",
         rows, " rows take ", bytes, " bytes of text; the most is ", Tokens::kMaxBytes - 1);
  }
  data_ = reinterpret_cast<char*>(memory_.allocate(bytes + Tokens::kSlack));
  source.read(offset, {reinterpret_cast<std::byte*>(data_), bytes}, context);
  std::memset(data_ + bytes, 0, Tokens::kSlack);
  find_records(bytes, rules, columns, rows, {where.source, data_, offset, context});
}

// Runs several rounds if needed, because Tokens stops after some thousand records.
void TextBlock::find_records(uint64_t bytes, const RecordRules& rules, uint64_t columns,
                             uint64_t rows, const TextPosition& position) {
  static PerThread<Tokens> tokens_of_thread;
  Tokens& tokens = tokens_of_thread.get();
  std::vector<Record> records;
  std::vector<uint32_t> ends;
  for (uint64_t done = 0; done < bytes; done += tokens.bytes()) {
    const char* data = data_ + done;
    tokens.find(data, bytes - done, true, rules.syntax);
    if (tokens.fault() != nullptr) {
      position.fail_at({data + tokens.fault_at(), 0}, ": ", tokens.fault());
    }
    if (tokens.size() == 0) break;
    const uint64_t left = check_records(tokens, columns, rules, data, position);
    const uint64_t fields = tokens.records()[left].first_end;
    const auto before = static_cast<uint32_t>(ends.size());
    records.reserve(std::max(records.size() + left, rows) + 1);
    ends.reserve(ends.size() + fields);
    const auto shift = static_cast<uint32_t>(done);
    for (uint64_t i = 0; i < left; ++i) {
      const Record& record = tokens.records()[i];
      records.push_back({record.start + shift, record.first_end + before});
    }
    for (uint64_t i = 0; i < fields; ++i) ends.push_back(tokens.ends()[i] + shift);
  }
  if (records.size() != rows) {
    position.fail_at({data_, 0}, ": expected ", rows, " rows in the next ", bytes, " bytes, got ",
                     records.size());
  }
  records.push_back({static_cast<uint32_t>(bytes), static_cast<uint32_t>(ends.size())});
  auto* own_records = memory_.allocate_array<Record>(records.size());
  std::memcpy(own_records, records.data(), records.size() * sizeof(Record));
  auto* own_ends = memory_.allocate_array<uint32_t>(ends.size());
  std::memcpy(own_ends, ends.data(), ends.size() * sizeof(uint32_t));
  records_ = Records(data_, own_records, rows, own_ends);
}

std::shared_ptr<const TextBlock> TextBlocks::block(uint64_t number, const Context& context) const {
  if (auto cached = find_or_claim(number)) return cached;
  try {
    std::shared_ptr<const TextBlock> block = read_within_budget(number, context);
    const std::lock_guard lock(mutex_);
    cached_.push_front({number, block});
    by_number_[number] = cached_.begin();
    held_bytes_ += block->held_bytes();
    drop_beyond(most_bytes_);
    loading_.erase(number);
    loaded_.notify_all();
    return block;
  } catch (...) {
    give_up(number);
    throw;
  }
}

std::shared_ptr<const TextBlock> TextBlocks::read_within_budget(uint64_t number,
                                                                const Context& context) const {
  try {
    return read(number, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Limit) throw;
    const std::lock_guard lock(mutex_);
    drop_beyond(0);
  }
  return read(number, context);
}

// Returns null if the caller has to divide the block.
std::shared_ptr<const TextBlock> TextBlocks::find_or_claim(uint64_t number) const {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (const auto found = by_number_.find(number); found != by_number_.end()) {
      cached_.splice(cached_.begin(), cached_, found->second);
      return found->second->block;
    }
    if (loading_.insert(number).second) return nullptr;
    loaded_.wait(lock);
  }
}

void TextBlocks::give_up(uint64_t number) const {
  const std::lock_guard lock(mutex_);
  loading_.erase(number);
  loaded_.notify_all();
}

std::shared_ptr<const TextBlock> TextBlocks::read(uint64_t number, const Context& context) const {
  const uint64_t offset = index_.offsets[number];
  all_divisions_.fetch_add(1, std::memory_order_relaxed);
  if (divisions_[number].load(std::memory_order_relaxed) < UINT8_MAX) {
    divisions_[number].fetch_add(1, std::memory_order_relaxed);
  }
  return std::make_shared<const TextBlock>(*source_, offset, index_.end_of(number) - offset, rules_,
                                           columns_, index_.rows_of(number), memory_, context);
}

// The caller must hold the lock.
void TextBlocks::drop_beyond(uint64_t most_bytes) const {
  while (cached_.size() > (most_bytes == 0 ? 0U : 1U) && held_bytes_ > most_bytes) {
    held_bytes_ -= cached_.back().block->held_bytes();
    by_number_.erase(cached_.back().number);
    cached_.pop_back();
  }
}

}  // namespace heron::inline v0::csv
