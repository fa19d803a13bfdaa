#include "convert/sort_piece.h"

#include <algorithm>

#include "base/parallel.h"
#include "convert/row_picker.h"
#include "values/batch_like.h"

namespace heron::inline v0 {
namespace {

uint64_t held_bytes(const Values& values) {
  uint64_t bytes = values.validity.bytes + values.data.bytes + values.offsets.bytes;
  if (values.type.is(Type::Key)) return bytes;  // key values are not copied
  for (const Values& child : values.children) bytes += held_bytes(child);
  return bytes;
}

// On several threads: partitions around a middle entry, then both halves, until there are enough
// parts.
template <class Entry, class Below>
void sort_parts(std::span<Entry> entries, const Context& context, const Below& below) {
  std::vector<std::span<Entry>> parts = {entries};
  const uint64_t threads = thread_count(context);
  while (parts.size() < threads) {
    std::vector<std::span<Entry>> halves;
    for (const auto& part : parts) {
      const uint64_t middle = part.size() / 2;
      std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(middle), part.end(),
                       below);
      halves.push_back(part.first(middle));
      halves.push_back(part.subspan(middle));
    }
    parts = std::move(halves);
  }
  parallel_for(parts.size(), context, [&](uint64_t i, const Context&) {
    std::sort(parts[i].begin(), parts[i].end(), below);
  });
}

}  // namespace

class SortPiece::Stream final : public RowStream {
 public:
  Stream(const SortPiece& piece, std::span<const uint64_t> columns, uint64_t batch_rows,
         const Context& context)
      : piece_(piece),
        batch_rows_(batch_rows),
        context_(context),
        picker_(batch_schema(piece.schema_, columns), {columns.begin(), columns.end()},
                context.memory) {
    for (const RowBatch& batch : piece.batches_) picker_.add_source(batch);
  }

  bool next(RowBatch& batch) override {
    context_.step(next_, piece_.rows());
    rows_.clear();
    const uint64_t end = next_ + std::min(batch_rows_, piece_.rows() - next_);
    for (; next_ < end; ++next_) rows_.push_back(piece_.entries_[next_].place);
    picker_.pick(rows_, batch);
    return !rows_.empty();
  }

 private:
  const SortPiece& piece_;
  const uint64_t batch_rows_;
  const Context context_;
  RowPicker picker_;
  std::vector<PieceRow> rows_;
  uint64_t next_ = 0;
};

void SortPiece::add(const RowBatch& batch, SortKeys keys) {
  RowBatch copied = own_batch(batch.schema, nullptr);  // it lies in arena_
  copied.rows = batch.rows;
  for (const Values& values : batch.columns) {
    copied.columns.push_back(copy(values, arena_));
    bytes_ += held_bytes(copied.columns.back());
  }
  bytes_ += keys.bytes();
  rows_ += batch.rows;
  batches_.push_back(std::move(copied));
  keys_.push_back(std::move(keys));
}

uint64_t SortPiece::shared_key_bytes() const noexcept {
  const std::string_view first = keys_[0][0];
  uint64_t shared = first.size();
  for (const SortKeys& keys : keys_) {
    for (uint64_t row = 0; row < keys.rows(); ++row) {
      shared = shared_bytes(first.substr(0, shared), keys[row]);
    }
  }
  return shared;
}

std::optional<std::string_view> SortPiece::sort(const Context& context) {
  if (rows_ == 0) return std::nullopt;
  const uint64_t shared = shared_key_bytes();
  entries_.clear();
  entries_.reserve(rows_);
  for (uint32_t piece = 0; piece < keys_.size(); ++piece) {
    for (uint32_t row = 0; row < keys_[piece].rows(); ++row) {
      entries_.push_back({key_prefix(keys_[piece][row], shared), {piece, row}});
    }
  }
  const auto below = [&](const Entry& a, const Entry& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : key(a) < key(b);
  };
  if (!std::is_sorted(entries_.begin(), entries_.end(), below)) {
    sort_parts(std::span(entries_), context, below);
  }
  const auto twice = std::adjacent_find(
      entries_.begin(), entries_.end(),
      [&](const Entry& a, const Entry& b) { return a.prefix == b.prefix && key(a) == key(b); });
  if (twice == entries_.end()) return std::nullopt;
  return key(*twice);
}

void SortPiece::clear() {
  batches_.clear();
  keys_.clear();
  arena_.reset();
  rows_ = 0;
  bytes_ = 0;
}

std::unique_ptr<RowStream> SortPiece::read(std::span<const uint64_t> columns, uint64_t batch_rows,
                                           const Context& context) const {
  return std::make_unique<Stream>(*this, columns, batch_rows, context);
}

}  // namespace heron::inline v0
