#include "svmlight/blocks.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/in_quotes.h"
#include "base/round_up.h"
#include "bytes/byte_source.h"
#include "columns/fixed_column.h"
#include "columns/sparse_list_column.h"
#include "columns/text_column.h"
#include "svmlight/line.h"

namespace heron::inline v0::svmlight {
namespace {

// The text of one block, read from the file.
class BlockText {
 public:
  BlockText(const RowText& text, uint64_t block, const Context& context)
      : text_(text), context_(context), offset_(text.index.offsets[block]) {
    const uint64_t before = offset_ == 0 ? 0 : 1;  // the end of the line before
    bytes_.resize(text.index.end_of(block) - offset_ + before);
    text.source->read(offset_ - before, std::as_writable_bytes(std::span(bytes_)), context);
    lines_ = std::string_view(bytes_.data(), bytes_.size()).substr(before);
    if (before != 0 && bytes_.front() != '\n') corrupt("expected the start of a line");
  }

  // Calls use(line, row) for each row; throws unless there are `rows`.
  template <class Use>
  void each_row(uint64_t rows, Use use) {
    uint64_t row = 0;
    each_line(lines_, [&](std::string_view line, size_t at) {
      const std::optional<Line> parts = split(line);
      if (!parts) return;
      at_ = at;
      if (row == rows) corrupt("expected the end of ", rows, " rows, got another");
      use(*parts, row++);
    });
    if (row != rows) corrupt("expected ", rows, " rows from here on, got ", row);
    text_.source->check_lost();
  }
  template <class... Parts>
  [[noreturn]] void corrupt(const Parts&... parts) const {
    fail(ErrorKind::Corrupt, text_.source->name(),
         line_text(*text_.source, offset_ + at_, context_), ": ", parts...);
  }

 private:
  const RowText& text_;
  const Context& context_;
  const uint64_t offset_;
  uint64_t at_ = 0;  // the line that is being read
  std::vector<char> bytes_;
  std::string_view lines_;
};

// What all columns share: a block is the text of some rows.
class TextBlocks : public BlockSource {
 public:
  explicit TextBlocks(RowTextPtr text) : text_(std::move(text)) {}

  const std::string& name() const noexcept override { return text_->source->name(); }
  ByteView stored(uint64_t block, const Context&) const override {
    const uint64_t offset = text_->index.offsets[block];
    return {text_->source.get(), offset, text_->index.end_of(block) - offset};
  }

 protected:
  const RowTextPtr text_;
};

// Numbers of a cell each: labels and queries.
template <class T, Type::Id kId, bool kIsQuery>
class NumberBlocks final : public TextBlocks {
 public:
  using TextBlocks::TextBlocks;

  uint64_t frame_bytes(uint64_t block, const Context&) const override {
    return text_->index.rows_of(block) * sizeof(T);
  }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override {
    BlockText text(*text_, block, context);
    text.each_row(rows, [&](const Line& line, uint64_t row) {
      const T number = parsed(text, kIsQuery ? line.query : line.label);
      std::memcpy(frame.memory + row * sizeof(T), &number, sizeof(T));
    });
    return std::make_unique<FixedColumn>(kId, rows, ColumnLabel{},
                                         FixedCells{.cells = {frame.source, 0, frame.bytes}});
  }

 private:
  static T parsed(const BlockText& text, std::string_view word) {
    std::conditional_t<std::is_integral_v<T>, int64_t, T> number{};
    bool is_right = parse(word, number);
    if constexpr (std::is_integral_v<T>) is_right = is_right && std::in_range<T>(number);
    if (!is_right) {
      text.corrupt("expected a number of type ", Type(kId).name(), ", got ", in_quotes(word));
    }
    return static_cast<T>(number);
  }
};

class CommentBlocks final : public TextBlocks {
 public:
  using TextBlocks::TextBlocks;

  // Comments are shorter than the text of their block.
  uint64_t frame_bytes(uint64_t block, const Context& context) const override {
    return padded((text_->index.rows_of(block) + 1) * sizeof(int32_t)) +
           stored(block, context).bytes;
  }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override {
    BlockText text(*text_, block, context);
    const uint64_t offsets = padded((rows + 1) * sizeof(int32_t));
    uint64_t end = 0;
    const auto put_offset = [&](uint64_t row) {
      const auto offset = static_cast<int32_t>(end);
      std::memcpy(frame.memory + row * sizeof(offset), &offset, sizeof(offset));
    };
    put_offset(0);
    text.each_row(rows, [&](const Line& line, uint64_t row) {
      if (line.comment.size() > std::min<uint64_t>(frame.bytes - offsets, INT32_MAX) - end) {
        text.corrupt("expected comments of less than 2 GiB in ", rows, " rows");
      }
      line.comment.copy(reinterpret_cast<char*>(frame.memory) + offsets + end, line.comment.size());
      end += line.comment.size();
      put_offset(row + 1);
    });
    OffsetCells cells;
    cells.cells = {frame.source, 0, (rows + 1) * sizeof(int32_t)};
    return std::make_unique<TextColumn>(rows, ColumnLabel{}, cells,
                                        ByteView{frame.source, offsets, end});
  }
};

// A frame has the values of all rows, their slots, and for each row how many it has.
class FeatureBlocks final : public TextBlocks {
 public:
  using TextBlocks::TextBlocks;

  uint64_t frame_bytes(uint64_t block, const Context&) const override {
    return counts_at(block) + text_->index.rows_of(block) * sizeof(int32_t);
  }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override {
    BlockText text(*text_, block, context);
    Pairs pairs{.most = text_->index.pairs[block],
                .values = frame.memory,
                .slots = frame.memory + padded(text_->index.pairs[block] * sizeof(float))};
    std::byte* const counts = frame.memory + counts_at(block);
    text.each_row(rows, [&](const Line& line, uint64_t row) {
      const uint64_t before = pairs.count;
      add(line.pairs, text, pairs);
      auto count = static_cast<int32_t>(pairs.count - before);
      // A row of all features is dense: it has no slots.
      if (pairs.count - before == text_->features) {
        count = -1;
        pairs.slot_count -= text_->features;
      }
      std::memcpy(counts + row * sizeof(count), &count, sizeof(count));
    });
    const uint64_t slots_at = padded(pairs.most * sizeof(float));
    SparseCells cells{.length = text_->features,
                      .counts = {frame.source, counts_at(block), rows * sizeof(int32_t)},
                      .indices = {frame.source, slots_at, pairs.slot_count * sizeof(int32_t)}};
    auto items = std::make_unique<FixedColumn>(
        Type::Float32, pairs.count, ColumnLabel{},
        FixedCells{.cells = {frame.source, 0, pairs.count * sizeof(float)}});
    return std::make_unique<SparseListColumn>(Type::vector(Type::Float32, text_->features), rows,
                                              ColumnLabel{}, cells, std::move(items), context);
  }

 private:
  struct Pairs {
    uint64_t most;
    std::byte* values;
    std::byte* slots;
    uint64_t count = 0;
    uint64_t slot_count = 0;
  };

  uint64_t counts_at(uint64_t block) const {
    return 2 * padded(text_->index.pairs[block] * sizeof(float));
  }

  void add(std::string_view text, const BlockText& block, Pairs& pairs) const {
    const char* at = text.data();
    const char* const end = at + text.size();
    int64_t before = -1;
    while (at < end) {
      uint64_t index = 0;
      const auto [colon, error] = std::from_chars(at, end, index);
      if (error != std::errc() || colon == end || *colon != ':' || index < text_->base ||
          index - text_->base >= text_->features) {
        block.corrupt("expected INDEX:VALUE with an index from ", text_->base, " to ",
                      text_->base + text_->features - 1, ", got ", in_quotes(word_at(at, end)));
      }
      const auto slot = static_cast<int32_t>(index - text_->base);
      if (slot <= before) {
        block.corrupt("expected an index above ", before + text_->base, ", got ",
                      in_quotes(word_at(at, end)));
      }
      before = slot;
      const std::string_view value = word_at(colon + 1, end);
      float number = 0;
      if (!parse(value, number)) {
        block.corrupt("expected a number as the value of feature ", index, ", got ",
                      in_quotes(value));
      }
      if (pairs.count == pairs.most) block.corrupt("expected ", pairs.most, " features, got more");
      std::memcpy(pairs.values + pairs.count++ * sizeof(number), &number, sizeof(number));
      std::memcpy(pairs.slots + pairs.slot_count++ * sizeof(slot), &slot, sizeof(slot));
      at = value.data() + value.size();
      while (at < end && is_blank(*at)) ++at;
    }
  }
  static std::string_view word_at(const char* at, const char* end) {
    const char* const last = std::find_if(at, end, is_blank);
    return {at, last};
  }
};

// Takes one slot of each row from the vectors of the same block.
class DenseBlocks final : public TextBlocks {
 public:
  DenseBlocks(RowTextPtr text, const Column& features, uint64_t slot)
      : TextBlocks(std::move(text)), features_(features), slot_(slot) {}

  uint64_t frame_bytes(uint64_t block, const Context&) const override {
    return text_->index.rows_of(block) * sizeof(float);
  }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override {
    const uint64_t first = block * text_->index.block_rows;
    Arena arena(context.memory);
    const Values all = features_.read({first, first + rows}, arena, context);
    const Values &items = all.children[0], &slots = all.children[1];
    const auto* numbers = items.children[0].data.as<float>();
    const auto* positions = slots.children[0].data.as<int32_t>();
    for (uint64_t row = 0; row < rows; ++row) {
      const uint64_t item = items.extent(row), slot = slots.extent(row);
      const uint64_t slot_end = slots.extent(row + 1);
      float number = 0;
      if (slot == slot_end && items.extent(row + 1) != item) {
        number = numbers[item + slot_];  // a dense row
      } else {
        const auto found =
            std::lower_bound(positions + slot, positions + slot_end, static_cast<int32_t>(slot_));
        const auto at = static_cast<uint64_t>(found - positions);
        if (at < slot_end && positions[at] == static_cast<int32_t>(slot_)) {
          number = numbers[item + at - slot];
        }
      }
      std::memcpy(frame.memory + row * sizeof(number), &number, sizeof(number));
    }
    return std::make_unique<FixedColumn>(Type::Float32, rows, ColumnLabel{},
                                         FixedCells{.cells = {frame.source, 0, frame.bytes}});
  }

 private:
  const Column& features_;
  const uint64_t slot_;
};

}  // namespace

std::shared_ptr<const BlockSource> label_blocks(RowTextPtr text, Type::Id type) {
  if (type == Type::Int32) {
    return std::make_shared<NumberBlocks<int32_t, Type::Int32, false>>(std::move(text));
  }
  if (type == Type::Int64) {
    return std::make_shared<NumberBlocks<int64_t, Type::Int64, false>>(std::move(text));
  }
  return std::make_shared<NumberBlocks<double, Type::Float64, false>>(std::move(text));
}

std::shared_ptr<const BlockSource> query_blocks(RowTextPtr text) {
  return std::make_shared<NumberBlocks<int64_t, Type::Int64, true>>(std::move(text));
}

std::vector<uint64_t> group_starts(const RowText& text) {
  std::vector<uint64_t> starts;
  std::optional<int64_t> before;
  const Context context;
  for (uint64_t block = 0; block < text.index.offsets.size(); ++block) {
    BlockText lines(text, block, context);
    lines.each_row(text.index.rows_of(block), [&](const Line& line, uint64_t row) {
      int64_t query = 0;
      if (!parse(line.query, query)) lines.corrupt("expected an integer as qid");
      if (query != before) starts.push_back(block * text.index.block_rows + row);
      before = query;
    });
  }
  const uint64_t groups = text.index.facts.groups;
  if (starts.size() != groups) {
    fail(ErrorKind::Corrupt, text.source->name(), "expected ", groups,
         " groups of rows with one qid, got ", starts.size());
  }
  starts.push_back(text.index.facts.rows);
  return starts;
}

std::shared_ptr<const BlockSource> comment_blocks(RowTextPtr text) {
  return std::make_shared<CommentBlocks>(std::move(text));
}

std::shared_ptr<const BlockSource> feature_blocks(RowTextPtr text) {
  return std::make_shared<FeatureBlocks>(std::move(text));
}

std::shared_ptr<const BlockSource> dense_blocks(RowTextPtr text, const Column& features,
                                                uint64_t slot) {
  return std::make_shared<DenseBlocks>(std::move(text), features, slot);
}

}  // namespace heron::inline v0::svmlight
