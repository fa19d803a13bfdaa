#include "npy/decoders.h"

#include "npy/text_cells.h"
#include "npy/time_cells.h"
#include "values/byte_order.h"
#include "values/small_floats.h"

namespace heron::inline v0::npy {
namespace {

[[noreturn]] void fail_unread(const std::string& file, const std::string& column,
                              const Element& element, std::string_view why) {
  fail(ErrorKind::Unsupported, file, "column \"", column, "\": NumPy type ", element.text, ' ',
       why);
}

Type integer_type(const Element& element) {
  const bool is_signed = element.kind == 'i';
  switch (element.width) {
    case 1: return is_signed ? Type::Int8 : Type::UInt8;
    case 2: return is_signed ? Type::Int16 : Type::UInt16;
    case 4: return is_signed ? Type::Int32 : Type::UInt32;
    default: return is_signed ? Type::Int64 : Type::UInt64;
  }
}

class HalfCells final : public CellDecoder {
 public:
  explicit HalfCells(std::endian order) : CellDecoder(Type::Float32, kBytes), order_(order) {}

  Values decode(const std::byte* cells, uint64_t count, const CellOrigin&,
                Arena& arena) const override {
    if (order_ != std::endian::native) {
      std::byte* swapped = arena.allocate(count * kBytes);
      swap_cells(cells, count, kBytes, swapped);
      cells = swapped;
    }
    Values values(Type::Float32, count);
    auto* floats = arena.allocate_array<float>(count);
    widen_floats(SmallFloat::Half, cells, count, floats);
    values.data = {reinterpret_cast<const std::byte*>(floats), count * sizeof *floats};
    return values;
  }

 private:
  static constexpr uint32_t kBytes = width_of(SmallFloat::Half);
  const std::endian order_;
};

}  // namespace

Decoding decoding_of(const std::string& file, const std::string& column, const Element& element) {
  std::string_view why = "(bytes without a meaning) is not supported";
  switch (element.kind) {
    case 'b': return {Type::Bool};
    case 'i':
    case 'u': return {integer_type(element)};
    case 'f':
      if (element.width == 4) return {Type::Float32};
      if (element.width == 8) return {Type::Float64};
      if (element.width == 2) {
        return {Type::Float32, {}, std::make_unique<HalfCells>(element.order)};
      }
      why = "(extended precision) is not supported";
      break;
    case 'S':
    case 'U':
      if (auto decoder = text_cells(element)) return {Type::Text, {}, std::move(decoder)};
      why = "is not supported: its texts have no bytes, or more than 2147483647";
      break;
    case 'M':
    case 'm': {
      Decoding times = time_cells(element);
      if (!times.type.is(Type::Null)) return times;
      why = "is not supported: its unit is not a fixed number of nanoseconds, at least 1";
      break;
    }
    case 'c': why = "(complex numbers) is not supported"; break;
    default: break;
  }
  fail_unread(file, column, element, why);
}

}  // namespace heron::inline v0::npy
