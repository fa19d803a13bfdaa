// Imports arrays with offsets, views, children or a dictionary.
#include <cstring>
#include <limits>
#include <optional>

#include "arrow/import_array.h"
#include "arrow/import_checks.h"
#include "arrow/text_views.h"
#include "base/fail.h"
#include "values/assemble.h"
#include "values/cells.h"
#include "values/codes.h"
#include "values/times.h"
#include "values/validity.h"
#include "values/value_words.h"

namespace heron::inline v0::arrow {
namespace {

alignas(64) constexpr std::byte kZeroOffsets[64] = {};

template <class Offset>
bool ascend(const Offset* offsets, uint64_t rows) {
  bool do_ascend = offsets[0] >= 0;
  for (uint64_t row = 0; row < rows; ++row) do_ascend &= offsets[row] <= offsets[row + 1];
  return do_ascend;
}

// Throws Error(Unsupported) for vectors.
Values all_null(const ArrayPlan& plan, uint64_t rows, Arena& arena) {
  if (!plan.type.is(Type::Vector)) return all_null(plan.type, rows, arena);
  fail(ErrorKind::Unsupported, {}, "Arrow column \"", plan.path,
       "\": vectors in a dictionary without values");
}

// Throws Error(Argument) if there is a row whose code is outside of the dictionary.
void check_codes(const ArrayPlan& plan, const Values& codes, const Values& dictionary,
                 std::optional<uint64_t> outside) {
  if (!outside) return;
  fail_array(plan, "row ", *outside, " of its batch: expected a code below ", dictionary.rows,
             ", got ", value_words(codes, *outside));
}

}  // namespace

// Sets values.offsets for the part's rows; returns the range they cover. With `rebase`, offsets
// count from the start of that range.
template <class Offset>
RowRange ArrayImporter::offsets(const Part& part, Values& values, bool rebase) {
  if (part.rows == 0) {
    values.offsets = {kZeroOffsets, sizeof(Offset)};
    return {0, 0};
  }
  const Buffer from = cells(part, 1, sizeof(Offset), part.first, part.rows + 1);
  const auto* offsets = from.as<Offset>();
  if (!ascend(offsets, part.rows)) {
    uint64_t row = 0;
    while (offsets[0] >= 0 && offsets[row] <= offsets[row + 1]) ++row;
    fail_array(part.plan, "row ", row,
               " of its batch: expected offsets that ascend from 0 on, got ", offsets[row], " and ",
               offsets[row + 1]);
  }
  const RowRange covered{static_cast<uint64_t>(offsets[0]),
                         static_cast<uint64_t>(offsets[part.rows])};
  values.offsets = from;
  if (rebase && covered.first != 0) {
    auto* own = arena_.allocate_array<Offset>(part.rows + 1);
    for (uint64_t row = 0; row <= part.rows; ++row) own[row] = offsets[row] - offsets[0];
    values.offsets.data = reinterpret_cast<const std::byte*>(own);
  }
  return covered;
}

Values ArrayImporter::texts(const Part& part) {
  Values values(part.plan.type, part.rows);
  const RowRange covered = values.type.has_large_offsets() ? offsets<int64_t>(part, values, false)
                                                            : offsets<int32_t>(part, values, false);
  const std::byte* characters = part.rows == 0 ? nullptr : part.buffer(2);
  if (characters == nullptr && covered.rows() != 0) {
    fail_array(part.plan, "expected ", covered.last, " bytes in buffer 2, got a null pointer");
  }
  values.data = {characters == nullptr ? kZeroOffsets : characters, covered.last};
  if (characters == nullptr && covered.last != 0) {
    // Texts without characters: the pointer is null, so the offsets must not be used.
    values.offsets = even_offsets(part.rows, 0, arena_);
    values.data.bytes = 0;
  }
  return values;
}

Values ArrayImporter::views(const Part& part) {
  Values views(part.plan.type, part.rows);
  views.data = cells(part, 1, sizeof(TextView), part.first, part.rows);
  add_validity(part, views);
  const int64_t buffers = part.array.n_buffers - 3;
  const std::byte* sizes = part.buffer(buffers + 2);
  if (buffers != 0 && part.rows != 0 && sizes == nullptr) {
    fail_array(part.plan, "expected the sizes of ", buffers, " buffers, got a null pointer");
  }
  // Returns the characters of a row, after checking that they lie in a buffer.
  const auto text_of = [&](uint64_t row) -> std::string_view {
    if (views.is_null(row)) return {};
    const auto view = load_cell<TextView>(views.data.data, row);
    const char* in_view = views.data.as<char>() + row * sizeof(TextView) + sizeof view.length;
    if (view.length >= 0 && view.length <= kLongestInView) {
      return {in_view, static_cast<size_t>(view.length)};
    }
    const bool in_buffers = view.length > 0 && view.buffer >= 0 && view.buffer < buffers;
    const int64_t bytes =
        in_buffers ? load_cell<int64_t>(sizes, static_cast<uint64_t>(view.buffer)) : 0;
    if (!in_buffers || part.buffer(view.buffer + 2) == nullptr || view.offset < 0 ||
        view.offset > bytes || view.length > bytes - view.offset) {
      fail_array(part.plan, "row ", row, " of its batch: expected a view into ", buffers,
                 " buffers, got ", view.length, " bytes at ", view.offset, " of buffer ",
                 view.buffer, " of ", bytes);
    }
    return {reinterpret_cast<const char*>(part.buffer(view.buffer + 2)) + view.offset,
            static_cast<size_t>(view.length)};
  };
  Values values(part.plan.type, part.rows);
  auto* offsets = arena_.allocate_array<int64_t>(part.rows + 1);
  offsets[0] = 0;
  for (uint64_t row = 0; row < part.rows; ++row) {
    offsets[row + 1] = offsets[row] + static_cast<int64_t>(text_of(row).size());
  }
  const auto bytes = static_cast<uint64_t>(offsets[part.rows]);
  char* characters = arena_.allocate_array<char>(bytes);
  for (uint64_t row = 0; row < part.rows; ++row) {
    const std::string_view text = text_of(row);
    if (!text.empty()) std::memcpy(characters + offsets[row], text.data(), text.size());
  }
  values.offsets = {reinterpret_cast<const std::byte*>(offsets), (part.rows + 1) * 8};
  values.data = {reinterpret_cast<const std::byte*>(characters), bytes};
  return values;
}

// Makes `rows` empty lists.
Values ArrayImporter::large_lists(const Type& items, uint64_t rows) {
  Values lists(Type::list(items, true), rows);
  lists.offsets = even_offsets(rows, 0, arena_);
  lists.children.push_back(concatenate(items, {}, arena_));
  return lists;
}

// Reads only the items of these rows: batches may be parts of one long array.
Values ArrayImporter::lists(const Part& part) {
  const ArrayPlan& items = part.plan.children[0];
  const bool is_vector = part.plan.type.is(Type::Vector);
  const bool is_large = is_vector || part.plan.type.is(Type::LargeList);
  Values values(Type::list(items.type, is_large), part.rows);
  const RowRange covered =
      is_large ? offsets<int64_t>(part, values, true) : offsets<int32_t>(part, values, true);
  check_node(part.array.children[0], items.path);
  values.children.push_back(this->values(items, *part.array.children[0], covered));
  if (!is_vector) return values;

  Values vectors(part.plan.type, part.rows);
  auto* lengths = arena_.allocate_array<int32_t>(part.rows);
  for (uint64_t row = 0; row < part.rows; ++row) {
    const uint64_t length = values.extent(row + 1) - values.extent(row);
    if (length > uint64_t{INT32_MAX}) {
      fail(ErrorKind::Limit, {}, "Arrow column \"", part.plan.path, "\" row ", row,
           " of its batch: expected a vector of fewer than 2^31 slots, got ", length);
    }
    lengths[row] = static_cast<int32_t>(length);
  }
  vectors.data = {reinterpret_cast<const std::byte*>(lengths), part.rows * sizeof(int32_t)};
  vectors.children.push_back(std::move(values));
  vectors.children.push_back(large_lists(Type::Int32, part.rows));
  return vectors;
}

Values ArrayImporter::fixed_lists(const Part& part) {
  const ArrayPlan& items = part.plan.children[0];
  const uint64_t width = part.plan.width;
  check_node(part.array.children[0], items.path);
  const auto there = static_cast<uint64_t>(part.array.children[0]->length);
  if (width != 0 && part.first + part.rows > there / width) {
    fail_array(items, "expected ", part.first + part.rows, " times ", width, " items, got ", there);
  }
  const RowRange range{part.first * width, (part.first + part.rows) * width};
  Values lists(Type::list(items.type, true), part.rows);
  lists.offsets = even_offsets(part.rows, width, arena_);
  lists.children.push_back(this->values(items, *part.array.children[0], range));
  if (!part.plan.type.is(Type::Vector)) return lists;

  Values vectors(part.plan.type, part.rows);
  auto* lengths = arena_.allocate_array<int32_t>(part.rows);
  std::fill_n(lengths, part.rows, static_cast<int32_t>(width));
  vectors.data = {reinterpret_cast<const std::byte*>(lengths), part.rows * sizeof(int32_t)};
  vectors.children.push_back(std::move(lists));
  vectors.children.push_back(large_lists(Type::Int32, part.rows));
  return vectors;
}

Values ArrayImporter::local_times(const Part& part) {
  const RowRange range{part.first, part.first + part.rows};
  Values from[2];
  for (int64_t i = 0; i < 2; ++i) {
    const ArrayPlan& plan = part.plan.children[static_cast<size_t>(i)];
    check_node(part.array.children[i], plan.path);
    from[i] = values(plan, *part.array.children[i], range);
  }
  Values values(Type::DateTimeOffset, part.rows);
  add_validity(part, values);
  auto* times = arena_.allocate_array<DateTimeOffset>(part.rows);
  for (uint64_t row = 0; row < part.rows; ++row) {
    if (!values.is_null(row) && (from[0].is_null(row) || from[1].is_null(row))) {
      fail_array(part.plan, "row ", row,
                 " of its batch: expected a time and its offset, got null in a value that is not");
    }
    const auto minutes = from[1].get<int16_t>(row);
    const auto ticks = static_cast<uint64_t>(from[0].get<int64_t>(row)) +
                       static_cast<uint64_t>(minutes * kTicksPerMinute);
    times[row] = {static_cast<int64_t>(ticks), minutes, {}};
  }
  values.data = {reinterpret_cast<const std::byte*>(times), part.rows * sizeof(DateTimeOffset)};
  return values;
}

Values ArrayImporter::codes(const Part& part) {
  const ArrayPlan& plan = part.plan.children[0];
  const ArrowArray& array = *part.array.dictionary;
  check_node(&array, plan.path);
  const Values dictionary = values(plan, array, {0, static_cast<uint64_t>(array.length)});
  if (part.plan.type.is(Type::Key)) return keys(part, dictionary);
  return decoded(part, dictionary);
}

Values ArrayImporter::stored_codes(const Part& part) {
  Values codes(part.plan.cell, part.rows);
  codes.data = cells(part, 1, part.plan.cell.width(), part.first, part.rows);
  add_validity(part, codes);
  return codes;
}

Values ArrayImporter::keys(const Part& part, const Values& dictionary) {
  const ArrayPlan& plan = part.plan;
  if (dictionary.rows != plan.type.size()) {
    fail_array(plan, "expected a dictionary of ", plan.type.size(), " values for ",
               plan.type.name(), ", got ", dictionary.rows);
  }
  const Values codes = stored_codes(part);
  Values keys(plan.type, part.rows);
  check_codes(plan, codes, dictionary, read_keys(codes, dictionary.rows, arena_, keys));
  keys.children.push_back(dictionary);
  return keys;
}

Values ArrayImporter::decoded(const Part& part, const Values& dictionary) {
  const ArrayPlan& plan = part.plan;
  const Values codes = stored_codes(part);
  if (part.rows == 0) return concatenate(plan.type, {}, arena_);
  if (codes.null_count == part.rows) return all_null(plan.children[0], part.rows, arena_);
  if (dictionary.rows > std::numeric_limits<uint32_t>::max()) {
    fail(ErrorKind::Limit, {}, "Arrow column \"", plan.path,
         "\": expected a dictionary of fewer than 2^32 values, got ", dictionary.rows);
  }
  auto* rows = arena_.allocate_array<uint32_t>(part.rows);
  check_codes(plan, codes, dictionary, read_codes(codes, dictionary.rows, 0, rows));
  Values values = pick(dictionary, {rows, part.rows}, arena_);
  drop_nulls_of(codes, values, arena_);
  return values;
}

}  // namespace heron::inline v0::arrow
