#include "jforests/dictionary.h"

#include <algorithm>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "bytes/view_reader.h"
#include "values/byte_order.h"

namespace heron::inline v0::jforests {
namespace {

constexpr uint64_t kPieceValues = 4096;

// Calls each(cells, index of the first, count) with pieces of the stored values, in order.
template <class Each>
void for_each_piece(const ByteView& values, uint64_t first, uint64_t count, const Context& context,
                    const Each& each) {
  Arena arena;
  for (uint64_t done = 0; done < count; done += kPieceValues) {
    const uint64_t piece = std::min(kPieceValues, count - done);
    each(window(values, (first + done) * kValueBytes, piece * kValueBytes, 1, arena, context), done,
         piece);
    arena.reset();
  }
}

// Calls `each` with each of the stored values, in order.
template <class Each>
void for_each_value(const ByteView& values, uint64_t first, uint64_t count, const Context& context,
                    const Each& each) {
  for_each_piece(values, first, count, context,
                 [&](const std::byte* stored, uint64_t done, uint64_t piece) {
                   for (uint64_t i = 0; i < piece; ++i) {
                     each(done + i, load<i32be>(stored + i * kValueBytes));
                   }
                 });
}

template <class T>
void store(std::byte* cells, uint64_t i, T value) {
  std::memcpy(cells + i * sizeof value, &value, sizeof value);
}

class OriginalValues final : public Dictionary {
 public:
  OriginalValues(const Record& record, const Scale& scale)
      : Dictionary(Type::Float64, record.value_count()),
        values_(record.values),
        mapped_(record.values.data()),
        scale_(scale) {}

  void decode(uint64_t first, uint64_t count, std::byte* cells,
              const Context& context) const override {
    if (count == 1 && mapped_ != nullptr) {  // a single row looks up one value per feature
      store(cells, 0, scale_.original(load<i32be>(mapped_ + first * kValueBytes)));
      return;
    }
    for_each_value(values_, first, count, context,
                   [&](uint64_t i, int32_t value) { store(cells, i, scale_.original(value)); });
  }
  void prefetch(uint64_t code) const noexcept override {
    if (mapped_ != nullptr && code < size()) __builtin_prefetch(mapped_ + code * kValueBytes);
  }

 private:
  ByteView values_;
  const std::byte* mapped_;  // null: the values have no address
  Scale scale_;
};

class ScaledValues final : public Dictionary {
 public:
  explicit ScaledValues(const Record& record)
      : Dictionary(Type::Int32, record.value_count()), values_(record.values) {}

  void decode(uint64_t first, uint64_t count, std::byte* cells,
              const Context& context) const override {
    for_each_value(values_, first, count, context,
                   [&](uint64_t i, int32_t value) { store(cells, i, value); });
  }

 private:
  ByteView values_;
};

class Indices final : public Dictionary {
 public:
  explicit Indices(const Record& record) : Dictionary(Type::UInt32, record.value_count()) {}

  void decode(uint64_t first, uint64_t count, std::byte* cells, const Context&) const override {
    for (uint64_t i = 0; i < count; ++i) store(cells, i, static_cast<uint32_t>(first + i));
  }
};

struct Ascends {
  HERON_INLINE static bool run(const int32_t* values, uint64_t count) {
    uint32_t falls = 0;  // has the values' width, so that the loop vectorizes
    for (uint64_t i = 1; i < count; ++i) falls |= values[i] <= values[i - 1] ? 1 : 0;
    return falls == 0;
  }
};

[[noreturn]] void fail_ascending(const ByteView& values, uint64_t first, const int32_t* piece) {
  uint64_t i = 1;
  while (piece[i] > piece[i - 1]) ++i;
  fail(ErrorKind::Corrupt, {}, "value ", first + i, " at byte ",
       values.offset + (first + i) * kValueBytes, ": expected more than ", piece[i - 1],
       ", the value before it, got ", piece[i]);
}

// Checks that values ascend, in pieces, each with the value before it.
void check_ascending(const ByteView& values, const Context& context) {
  int32_t piece[1 + kPieceValues];
  piece[kPieceValues] = 0;  // the last value of the previous piece
  for_each_piece(values, 0, values.bytes / kValueBytes, context,
                 [&](const std::byte* stored, uint64_t done, uint64_t count) {
                   piece[0] = piece[kPieceValues];
                   swap_cells(stored, count, kValueBytes, reinterpret_cast<std::byte*>(piece + 1));
                   const uint64_t skipped = done == 0 ? 1 : 0;  // the first has no predecessor
                   if (!dispatch<Ascends>(piece + skipped, 1 + count - skipped)) {
                     fail_ascending(values, done - 1 + skipped, piece + skipped);
                   }
                 });
}

// Searches ascending values for 0. The reference always stores 0, whether a row has it or not, as
// the value of rows without one.
void check_has_zero(const ByteView& values, const Context& context) {
  uint64_t first = 0;
  for (uint64_t count = values.bytes / kValueBytes; count > 0;) {
    const uint64_t middle = first + count / 2;
    int32_t got = 0;
    for_each_value(values, middle, 1, context, [&](uint64_t, int32_t value) { got = value; });
    if (got == 0) return;
    if (got < 0) first = middle + 1;
    count = got < 0 ? count - count / 2 - 1 : count / 2;
  }
  fail(ErrorKind::Corrupt, {}, "values at byte ", values.offset, ": expected 0 among them, got ",
       values.bytes / kValueBytes, " others");
}

}  // namespace

Type type_of(CodedValues view) noexcept {
  switch (view) {
    case CodedValues::Original: return Type::Float64;
    case CodedValues::Scaled: return Type::Int32;
    case CodedValues::Index: break;
  }
  return Type::UInt32;
}

std::shared_ptr<const Dictionary> open_dictionary(const Record& record, CodedValues view,
                                                  const Context& context) {
  check_ascending(record.values, context);
  check_has_zero(record.values, context);
  switch (view) {
    case CodedValues::Original:
      return std::make_shared<const OriginalValues>(record, scale_of(record, context));
    case CodedValues::Scaled: return std::make_shared<const ScaledValues>(record);
    case CodedValues::Index: break;
  }
  return std::make_shared<const Indices>(record);
}

}  // namespace heron::inline v0::jforests
