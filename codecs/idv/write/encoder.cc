#include "idv/write/encoder.h"

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "idv/text.h"
#include "idv/write/vector_encoder.h"
#include "values/bitmap.h"
#include "values/byte_order.h"

namespace heron::inline v0::idv {
namespace {

// Returns the stand-in for a null: NaN, and 0 for a key; other types cannot be null.
std::array<std::byte, sizeof(double)> null_cell(const Type& type) {
  std::array<std::byte, sizeof(double)> cell{};
  if (type.is(Type::Float32)) {
    constexpr auto kNaN = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(cell.data(), &kNaN, sizeof kNaN);
  } else if (type.is(Type::Float64)) {
    constexpr auto kNaN = std::numeric_limits<double>::quiet_NaN();
    std::memcpy(cell.data(), &kNaN, sizeof kNaN);
  }
  return cell;
}

class FixedEncoder final : public ColumnEncoder {
 public:
  explicit FixedEncoder(const Type& type) : width_(type.width()), nulls_(null_cell(type)) {}

  void append(const Values& values, RowRange rows) override {
    const uint64_t start = cells_.size();
    put(cells_, {values.data.data + rows.first * width_, rows.rows() * width_});
    std::byte* const cells = cells_.data() + start;
    if (values.null_count != 0) {
      for (uint64_t row = rows.first; row < rows.last; ++row) {
        if (!values.is_null(row)) continue;
        std::memcpy(cells + (row - rows.first) * width_, nulls_.data(), width_);
      }
    }
    if constexpr (std::endian::native == std::endian::big) {
      const uint32_t number = std::min<uint32_t>(width_, sizeof(uint64_t));
      swap_cells(cells, rows.rows() * (width_ / number), number, cells);
    }
  }

  uint64_t bytes_with(const Values&, RowRange rows) const override {
    return cells_.size() + rows.rows() * width_;
  }

  void encode(Bytes& block) override {
    put(block, cells_);
    cells_.clear();
  }

 private:
  uint32_t width_;
  std::array<std::byte, sizeof(double)> nulls_;
  Bytes cells_;
};

class BoolEncoder final : public ColumnEncoder {
 public:
  void append(const Values& values, RowRange rows) override {
    bits_.resize(bitmap_bytes(rows_ + rows.rows()));
    for (uint64_t row = rows.first; row < rows.last; ++row, ++rows_) {
      bits_[rows_ / 8] |= static_cast<std::byte>(values.get_bool(row) << (rows_ % 8));
    }
  }

  uint64_t bytes_with(const Values&, RowRange rows) const override {
    return bitmap_bytes(rows_ + rows.rows());
  }

  void encode(Bytes& block) override {
    put(block, bits_);
    bits_.clear();
    rows_ = 0;
  }

 private:
  Bytes bits_;
  uint64_t rows_ = 0;
};

class TextEncoder final : public ColumnEncoder {
 public:
  void append(const Values& values, RowRange rows) override {
    const uint64_t first = values.extent(rows.first);
    const uint64_t start = texts_.size();
    put(texts_, {values.data.data + first, values.extent(rows.last) - first});
    for (uint64_t row = rows.first; row < rows.last; ++row) {
      ends_.push_back(start + (values.extent(row + 1) - first));
    }
  }

  uint64_t bytes_with(const Values& values, RowRange rows) const override {
    return kHeadBytes + sizeof(i32le) * (ends_.size() + rows.rows()) + texts_.size() +
           (values.extent(rows.last) - values.extent(rows.first));
  }

  void encode(Bytes& block) override {
    changed_ += append_texts(ends_, texts_, block);
    ends_.clear();
    texts_.clear();
  }

  uint64_t changed_texts() const noexcept override { return changed_; }

 private:
  static constexpr uint64_t kHeadBytes = sizeof(i32le) + 5;  // the longest LEB128 below 2^35

  std::vector<uint64_t> ends_;
  Bytes texts_;
  uint64_t changed_ = 0;
};

class DateTimeOffsetEncoder final : public ColumnEncoder {
 public:
  void append(const Values& values, RowRange rows) override {
    for (uint64_t row = rows.first; row < rows.last; ++row) {
      const auto cell = values.get<DateTimeOffset>(row);
      minutes_.emplace_back(cell.minutes);
      ticks_.emplace_back(cell.ticks);
    }
  }

  uint64_t bytes_with(const Values&, RowRange rows) const override {
    return (ticks_.size() + rows.rows()) * (sizeof(i16le) + sizeof(i64le));
  }

  void encode(Bytes& block) override {
    put_cells(block, minutes_);
    put_cells(block, ticks_);
    minutes_.clear();
    ticks_.clear();
  }

 private:
  std::vector<i16le> minutes_;
  std::vector<i64le> ticks_;
};

}  // namespace

std::unique_ptr<ColumnEncoder> make_encoder(const Type& type) {
  switch (type.id()) {
    case Type::Bool: return std::make_unique<BoolEncoder>();
    case Type::Text:
    case Type::LargeText: return std::make_unique<TextEncoder>();
    case Type::DateTimeOffset: return std::make_unique<DateTimeOffsetEncoder>();
    case Type::Vector:
      return std::make_unique<VectorEncoder>(type.size(), make_encoder(type.item()));
    default: return std::make_unique<FixedEncoder>(type);
  }
}

}  // namespace heron::inline v0::idv
