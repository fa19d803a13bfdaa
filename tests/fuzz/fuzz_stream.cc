// Arrays of other programs, by the Arrow C interfaces. The input chooses the columns of a struct,
// the content of their buffers, and damage of the array's fields. A consumer cannot check how long
// buffers are, so that lengths are damaged only to numbers that are refused or that the buffers
// hold; all else may have any value. An import ends in an Error or in values that are exported
// again.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/made_arrays.h"
#include "heron/heron.h"

namespace heron {
namespace {

// Numbers from the input; zeros after its end.
class Numbers {
 public:
  explicit Numbers(std::span<const uint8_t> input) : left_(input) {}

  bool empty() const { return left_.empty(); }
  uint8_t next() {
    if (left_.empty()) return 0;
    const uint8_t byte = left_.front();
    left_ = left_.subspan(1);
    return byte;
  }
  uint64_t below(uint64_t limit) { return next() % limit; }
  // Returns a number of any size, mostly one near 0 or near a limit.
  int64_t any() {
    const uint64_t near = next();
    switch (next() % 4) {
      case 0: return static_cast<int64_t>(near);
      case 1: return -static_cast<int64_t>(near);
      case 2: return static_cast<int64_t>(uint64_t{1} << near % 63);
      default: return static_cast<int64_t>(uint64_t{INT64_MAX} + near);
    }
  }

 private:
  std::span<const uint8_t> left_;
};

struct Primitive {
  std::string_view format;
  uint8_t bytes;
};
constexpr std::array kPrimitives{
    Primitive{"c", 1},       Primitive{"C", 1},    Primitive{"s", 2},   Primitive{"S", 2},
    Primitive{"i", 4},       Primitive{"I", 4},    Primitive{"l", 8},   Primitive{"L", 8},
    Primitive{"e", 2},       Primitive{"f", 4},    Primitive{"g", 8},   Primitive{"tdD", 4},
    Primitive{"tdm", 8},     Primitive{"tts", 4},  Primitive{"ttu", 8}, Primitive{"tsn:", 8},
    Primitive{"tss:UTC", 8}, Primitive{"tsm:", 8}, Primitive{"tDu", 8}, Primitive{"tDs", 8},
    Primitive{"d:38,2", 16}, Primitive{"w:3", 3}};

constexpr int kMaxDeep = 3;

ArrowBytes cells(Numbers& from, uint64_t bytes) {
  ArrowBytes made(bytes);
  for (std::byte& byte : made) byte = std::byte{from.next()};
  return made;
}

// Returns offsets that may fall, but lie within the items.
template <class T>
ArrowBytes offsets(Numbers& from, uint64_t length, uint64_t items) {
  std::vector<T> all(length + 1);
  const bool sorted = from.below(4) != 0;
  for (T& offset : all) offset = static_cast<T>(from.below(items + 1));
  if (sorted) std::ranges::sort(all);
  return bytes_of(all);
}

MadeArray column(Numbers& from, uint64_t length, int deep) {
  constexpr uint64_t kItems = 12;
  const ArrowBytes validity = from.below(2) == 0 ? ArrowBytes{} : cells(from, bitmap_bytes(length));
  const uint64_t kind = from.below(deep == 0 ? 6 : 10);
  MadeArray made{"n", length, {}};
  switch (kind) {
    case 0: made.format = "n"; break;
    case 1: made = {"b", length, {validity, cells(from, bitmap_bytes(length))}}; break;
    case 2:
      made = {"u", length, {validity, offsets<int32_t>(from, length, kItems), cells(from, kItems)}};
      break;
    case 3:
      made = {"Z", length, {validity, offsets<int64_t>(from, length, kItems), cells(from, kItems)}};
      break;
    case 6:
      made = {"+l",
              length,
              {validity, offsets<int32_t>(from, length, kItems)},
              {column(from, kItems, deep - 1)}};
      break;
    case 7:
      made = {"+L",
              length,
              {validity, offsets<int64_t>(from, length, kItems)},
              {column(from, kItems, deep - 1)}};
      break;
    case 8: made = {"+w:2", length, {validity}, {column(from, 2 * length, deep - 1)}}; break;
    case 9: {
      made = {"i", length, {validity, cells(from, 4 * length)}};
      made.dictionary = {column(from, kItems, deep - 1)};
      break;
    }
    default: {
      const Primitive& type = kPrimitives[from.below(kPrimitives.size())];
      made = {std::string(type.format), length, {validity, cells(from, type.bytes * length)}};
    }
  }
  if (from.below(4) == 0) made.null_count = from.any();
  return made;
}

// Damages a field of an array, or of one below it.
void damage(Numbers& from, ArrowArray& array) {
  const auto child = static_cast<int64_t>(from.below(4));
  if (child < array.n_children && array.children != nullptr && array.children[child] != nullptr &&
      from.below(2) == 0) {
    return damage(from, *array.children[child]);
  }
  // Numbers up to the true one, negative ones and those beyond every limit.
  const auto safe = [&](int64_t most) {
    const int64_t number = from.any();
    constexpr int64_t kBeyond = int64_t{1} << 57;
    return number < 0 || number >= kBeyond ? number : std::min(number, most);
  };
  // Counts of pointers are never larger than the true ones, which nobody could check.
  const auto at_most = [&](int64_t most) { return std::min(from.any(), most); };
  switch (from.below(8)) {
    case 0: array.length = safe(array.length); break;
    case 1: {
      const int64_t offset = safe(array.length);
      array.offset = offset;
      if (offset > 0 && offset <= array.length) array.length -= offset;
      break;
    }
    case 2: array.null_count = from.any(); break;
    case 3: array.n_buffers = at_most(array.n_buffers); break;
    case 4:
      if (array.n_buffers > 0 && array.buffers != nullptr)
        array.buffers[from.below(static_cast<uint64_t>(array.n_buffers))] = nullptr;
      break;
    case 5: array.n_children = at_most(array.n_children); break;
    case 6: array.buffers = nullptr; break;
    default: array.null_count = -1;
  }
}

void ask(Numbers from) {
  constexpr uint64_t kMaxRows = 20;
  const uint64_t length = from.below(kMaxRows);
  std::vector<MadeArray> columns(1 + from.below(3));
  for (MadeArray& made : columns) made = column(from, length, kMaxDeep);
  const MadeArray made = struct_of(std::move(columns));
  const auto schema = made.schema();
  auto array = made.array();
  for (uint64_t left = from.below(4); left != 0; --left) damage(from, *array.get());
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{64} << 20);
  try {
    const RowBatch batch = import_batch(*schema, array.get(), context);
    for (const Values& values : batch.columns) {
      for (uint64_t row = 0; row < values.rows; ++row) words(exact_value(values, row));
    }
    arrow::Owned<ArrowSchema> exported_schema;
    arrow::Owned<ArrowArray> exported;
    export_batch(batch, exported_schema.get(), exported.get());
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  heron::ask(heron::Numbers({data, bytes}));
  return 0;
}
