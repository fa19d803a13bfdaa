#include "jforests/dictionary.h"

#include <algorithm>
#include <cmath>

#include "bytes/on_disk.h"
#include "bytes/view_reader.h"

namespace heron::inline v0::jforests {
namespace {

// Calls with each of the stored values, in order.
template <class Each>
void for_each_value(const ByteView& values, uint64_t first, uint64_t count, const Context& context,
                    const Each& each) {
  constexpr uint64_t kPieceValues = 16384;
  Arena arena;
  for (uint64_t done = 0; done < count; done += kPieceValues) {
    const uint64_t piece = std::min(kPieceValues, count - done);
    const std::byte* stored =
        window(values, (first + done) * kValueBytes, piece * kValueBytes, 1, arena, context);
    for (uint64_t i = 0; i < piece; ++i) each(done + i, load<i32be>(stored + i * kValueBytes));
    arena.reset();
  }
}

template <class T>
void store(std::byte* cells, uint64_t i, T value) {
  std::memcpy(cells + i * sizeof value, &value, sizeof value);
}

class OriginalValues final : public Dictionary {
 public:
  OriginalValues(const Record& record, const Scale& scale)
      : Dictionary(Type::Float64, record.value_count()), values_(record.values), scale_(scale) {}

  // Operation by operation as the reference program does it, so that results are its own bit by bit
  // (as far as the machine's exp is).
  void decode(uint64_t first, uint64_t count, std::byte* cells,
              const Context& context) const override {
    for_each_value(values_, first, count, context, [&](uint64_t i, int32_t value) {
      const double quotient = value / scale_.factor;
      store(cells, i,
            scale_.logarithmic ? (std::exp(quotient) + scale_.min) - 1 : quotient + scale_.min);
    });
  }

 private:
  ByteView values_;
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

void check_ascending(const ByteView& values, const Context& context) {
  int64_t last = INT64_MIN;
  for_each_value(values, 0, values.bytes / kValueBytes, context, [&](uint64_t i, int32_t value) {
    if (value <= last) {
      fail(ErrorKind::Corrupt, {}, "value ", i, " at byte ", values.offset + i * kValueBytes,
           ": expected more than ", last, ", the value before it, got ", value);
    }
    last = value;
  });
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
  switch (view) {
    case CodedValues::Original:
      return std::make_shared<const OriginalValues>(record, scale_of(record, context));
    case CodedValues::Scaled: return std::make_shared<const ScaledValues>(record);
    case CodedValues::Index: break;
  }
  return std::make_shared<const Indices>(record);
}

}  // namespace heron::inline v0::jforests
