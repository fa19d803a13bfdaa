#include "arrow/export_array.h"

#include <algorithm>
#include <utility>

#include "arrow/text_views.h"
#include "arrow/utf8_text.h"
#include "base/fail.h"
#include "base/parallel.h"
#include "values/cells.h"
#include "values/times.h"
#include "values/value_words.h"

namespace heron::inline v0::arrow {
namespace {

// The minimum number of rows for which exporting a column is worth a thread.
constexpr uint64_t kRowsForThreads = uint64_t{1} << 16;

// The address of empty buffers: some consumers refuse null pointers.
alignas(64) constexpr std::byte kNoBytes[64] = {};

const void* address(const Buffer& buffer) noexcept {
  return buffer.data == nullptr ? kNoBytes : buffer.data;
}

// Copies the offsets of texts to 64 bits each.
const void* wide_offsets(const Values& texts, Arena& arena) {
  const auto* offsets = texts.offsets.as<int32_t>();
  auto* wide = arena.allocate_array<int64_t>(texts.rows + 1);
  std::copy_n(offsets, texts.rows + 1, wide);
  return wide;
}

}  // namespace

// Returns parts with the validity bitmap as the only buffer.
ArrayParts ArrayExporter::parts(const Values& values) const {
  ArrayParts parts;
  parts.length = values.rows;
  parts.null_count = values.null_count;
  parts.memory = memory_;
  parts.buffers.push_back(values.null_count == 0 ? nullptr : values.validity.data);
  return parts;
}

// Makes one cell per row: convert(row), or 0 for null.
template <class T, class Convert>
const std::byte* ArrayExporter::converted(const Values& values, Convert convert) {
  auto* cells = made_.allocate_array<T>(values.rows);
  for (uint64_t row = 0; row < values.rows; ++row) {
    cells[row] = values.is_null(row) ? T{0} : convert(row);
  }
  return reinterpret_cast<const std::byte*>(cells);
}

Owned<ArrowArray> ArrayExporter::array(const Values& values) {
  switch (values.type.id()) {
    case Type::Text:
    case Type::LargeText:
    case Type::Binary:
    case Type::LargeBinary: return texts(values);
    case Type::DateTime: return times(values);
    case Type::Duration:
      if (values.type.unit() == Type::Tick) return times(values);
      break;
    case Type::DateTimeOffset: return local_times(values);
    case Type::Key: return keys(values);
    case Type::Vector: return vectors(values);
    default: break;
  }
  ArrayParts out = parts(values);
  if (values.type.is(Type::Null)) {
    out.null_count = values.rows;
    out.buffers.clear();
  } else if (values.type.is_list()) {
    out.buffers.push_back(address(values.offsets));
    out.children.push_back(array(values.children[0]));
  } else {
    out.buffers.push_back(address(values.data));
  }
  return make(std::move(out));
}

Owned<ArrowArray> ArrayExporter::texts(const Values& values) {
  const bool is_exact = options_.binary_text || values.type.is_binary();
  const Values utf8 = is_exact ? values : as_utf8(values, made_);
  ArrayParts out = parts(utf8);
  if (texts_ == ArrowTexts::Views) {
    for (const void* buffer : text_views(utf8, made_)) out.buffers.push_back(buffer);
    return make(std::move(out));
  }
  const bool widens = texts_ == ArrowTexts::Large && !utf8.type.has_large_offsets();
  out.buffers.push_back(widens ? wide_offsets(utf8, made_) : address(utf8.offsets));
  out.buffers.push_back(address(utf8.data));
  return make(std::move(out));
}

void ArrayExporter::fail_time(const Values& values, uint64_t row) const {
  fail(ErrorKind::Limit, {}, "column \"", column_, "\" row ", row,
       " of its batch: expected a time that Arrow counts in 64 bits, got ",
       value_words(values, row),
       "; in nanoseconds these are 1677 to 2262, use ArrowTimes::Microseconds or Ticks");
}

// Converts times in ticks to the options' unit, counted from `zero`.
const std::byte* ArrayExporter::in_arrow_units(const Values& values, int64_t zero) {
  const bool is_local = values.type.is(Type::DateTimeOffset);
  return converted<int64_t>(values, [&](uint64_t row) {
    const int64_t ticks =
        is_local ? instant_of(cell_of<DateTimeOffset>(values, row)) : cell_of<int64_t>(values, row);
    int64_t count = ticks;
    if (options_.times == ArrowTimes::Ticks) return count;
    bool overflows = __builtin_sub_overflow(ticks, zero, &count);
    if (options_.times == ArrowTimes::Nanoseconds) {
      overflows |= __builtin_mul_overflow(count, int64_t{100}, &count);
    } else {
      count = std::chrono::floor<std::chrono::microseconds>(TickDuration(count)).count();
    }
    if (overflows) fail_time(values, row);
    return count;
  });
}

Owned<ArrowArray> ArrayExporter::times(const Values& values) {
  ArrayParts out = parts(values);
  const int64_t zero = values.type.is(Type::Duration) ? 0 : kTicksBefore1970;
  out.buffers.push_back(options_.times == ArrowTimes::Ticks ? address(values.data)
                                                            : in_arrow_units(values, zero));
  return make(std::move(out));
}

Owned<ArrowArray> ArrayExporter::local_times(const Values& values) {
  const auto child = [&](const std::byte* cells) {
    ArrayParts out = parts(values);
    out.null_count = 0;
    out.buffers = {nullptr, cells};
    return make(std::move(out));
  };
  ArrayParts out = parts(values);
  out.children.push_back(child(in_arrow_units(values, kTicksBefore1970)));
  out.children.push_back(child(converted<int16_t>(
      values, [&](uint64_t row) { return cell_of<DateTimeOffset>(values, row).minutes; })));
  return make(std::move(out));
}

// Exports keys with values as codes from 0: the stored numbers less one, and 0 for nulls.
Owned<ArrowArray> ArrayExporter::keys(const Values& values) {
  ArrayParts out = parts(values);
  if (values.children.empty()) {
    out.buffers.push_back(address(values.data));
    return make(std::move(out));
  }
  out.buffers.push_back(visit_cell_type(values.type, [&]<class T>() {
    return converted<T>(values, [&](uint64_t row) {
      const T number = cell_of<T>(values, row);
      return static_cast<T>(number - (number != 0));
    });
  }));
  const ArrowTexts texts = std::exchange(texts_, ArrowTexts::AsStored);
  out.dictionary = array(values.children[0]);
  texts_ = texts;
  return make(std::move(out));
}

Owned<ArrowArray> ArrayExporter::vectors(const Values& values) {
  Values lists = dense(values, made_, options_.max_slots);
  lists.null_count = values.null_count;
  lists.validity = values.validity;
  if (values.type.size() == 0) return array(lists);

  const uint64_t slots = lists.extent(lists.rows) - lists.extent(0);
  if (slots / values.type.size() != lists.rows || slots % values.type.size() != 0) {
    fail(ErrorKind::Corrupt, {}, "column \"", column_, "\": expected ", lists.rows, " vectors of ",
         values.type.size(), " slots, got ", slots, " slots together");
  }
  // A fixed-size list has no offsets: its items begin where the first vector's do.
  ArrayParts out = parts(lists);
  Owned<ArrowArray> items = array(lists.children[0]);
  items->offset += static_cast<int64_t>(lists.extent(0));
  items->length = static_cast<int64_t>(slots);
  if (items->null_count != 0) items->null_count = -1;  // known only for all items
  out.children.push_back(std::move(items));
  return make(std::move(out));
}

Owned<ArrowArray> ArrayExporter::all_columns(const RowBatch& batch) {
  ArrayParts out;
  out.length = batch.rows;
  out.memory = memory_;
  out.buffers.push_back(nullptr);
  const auto export_one = [&](uint64_t i, ArrayExporter& exporter) {
    return exporter.column(batch.columns[i], (*batch.schema)[i].name);
  };
  const uint64_t columns = batch.columns.size();
  if (context_.threads == 1 || columns < 2 || batch.rows < kRowsForThreads) {
    for (uint64_t i = 0; i < columns; ++i) out.children.push_back(export_one(i, *this));
    return make(std::move(out));
  }
  out.children.resize(columns);
  parallel_for(columns, context_, [&](uint64_t i, const Context& one_thread) {
    ArrayExporter own(batch, options_, one_thread);  // each column has its own memory
    out.children[i] = export_one(i, own);
  });
  return make(std::move(out));
}

}  // namespace heron::inline v0::arrow
