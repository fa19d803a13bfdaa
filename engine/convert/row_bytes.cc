#include "convert/row_bytes.h"

#include <cstring>
#include <limits>
#include <utility>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/values.h"
#include "values/bitmap.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

// Calls use.operator()<Offset>() with the type of the offsets.
template <class Use>
decltype(auto) visit_offsets(const Type& type, Use use) {
  const bool is_large = type.has_large_offsets();
  return is_large ? use.template operator()<int64_t>() : use.template operator()<int32_t>();
}

uint32_t cell_width(const Type& type) {
  return type.is(Type::Vector) ? sizeof(int32_t) : type.width();
}

RowRange items_of(const Values& values, RowRange rows) {
  return {values.extent(rows.first), values.extent(rows.last)};
}

uint64_t run_bytes(const Values& values, RowRange rows) {
  const uint64_t count = rows.rows();
  const Type& type = values.type;
  if (type.is(Type::Null)) return 0;
  if (type.is(Type::Bool)) return 2 * count;
  if (!type.has_offsets()) {
    uint64_t bytes = count * (1 + cell_width(type));
    if (!type.is(Type::Vector)) return bytes;
    for (const Values& child : values.children) bytes += run_bytes(child, rows);
    return bytes;
  }
  const RowRange items = items_of(values, rows);
  const uint64_t lengths =
      visit_offsets(type, [&]<class Offset>() { return count * sizeof(Offset); });
  return count + lengths +
         (type.has_bytes() ? items.rows() : run_bytes(values.children[0], items));
}

char* put(const std::byte* from, uint64_t bytes, char* to) {
  if (bytes != 0) std::memcpy(to, from, bytes);
  return to + bytes;
}

char* put_run(const Values& values, RowRange rows, char* to) {
  const Type& type = values.type;
  if (type.is(Type::Null)) return to;
  for (uint64_t row = rows.first; row < rows.last; ++row) *to++ = !values.is_null(row);
  if (type.is(Type::Bool)) {
    for (uint64_t row = rows.first; row < rows.last; ++row) *to++ = values.get_bool(row);
    return to;
  }
  if (!type.has_offsets()) {
    const uint64_t width = cell_width(type);
    to = put(values.data.data + rows.first * width, rows.rows() * width, to);
    if (!type.is(Type::Vector)) return to;
    for (const Values& child : values.children) to = put_run(child, rows, to);
    return to;
  }
  visit_offsets(type, [&]<class Offset>() {
    for (uint64_t row = rows.first; row < rows.last; ++row) {
      const auto length = static_cast<Offset>(values.extent(row + 1) - values.extent(row));
      std::memcpy(to, &length, sizeof length);
      to += sizeof length;
    }
  });
  const RowRange items = items_of(values, rows);
  return type.has_bytes() ? put(values.data.data + items.first, items.rows(), to)
                        : put_run(values.children[0], items, to);
}

// Writes values of one cell of that width a row, in a simple loop; returns false for other values.
template <uint32_t Width>
bool put_cells(const Values& values, std::vector<char>& bytes, uint64_t* ends) {
  if (values.type.width() != Width) return false;
  const bool has_nulls = values.null_count != 0;
  for (uint64_t row = 0; row < values.rows; ++row) {
    char* to = bytes.data() + std::exchange(ends[row], ends[row] + 1 + Width);
    *to = !has_nulls || values.validity.bit(row);
    std::memcpy(to + 1, values.data.data + row * Width, Width);
  }
  return true;
}

// Reads a cell of each row, and moves past it.
template <uint64_t Width>
void take_cells(std::span<const char*> rows, std::byte* to) {
  for (uint64_t i = 0; i < rows.size(); ++i) {
    std::memcpy(to + i * Width, rows[i], Width);
    rows[i] += Width;
  }
}

// Runs of counts[i] values at rows[i]; without counts, each run has one value.
class ValueRuns {
 public:
  ValueRuns(std::span<const char*> rows, std::span<const uint64_t> counts, Arena& arena)
      : rows_(rows), counts_(counts), arena_(arena), total_(counts.empty() ? rows.size() : 0) {
    for (const uint64_t count : counts) total_ += count;
  }

  Values read(const Values& model) const {
    const Type& type = model.type;
    Values values(type, total_);
    values.null_count = type.is(Type::Null) ? total_ : 0;
    if (type.is(Type::Null)) return values;
    set_validity_from_flags(values, reinterpret_cast<const uint8_t*>(cells(1).data), arena_);
    if (type.is(Type::Bool)) {
      values.data = {pack_bools(cells(1).data, total_, arena_), bitmap_bytes(total_)};
    } else if (type.has_offsets()) {
      visit_offsets(type, [&]<class Offset>() { read_items<Offset>(model, values); });
    } else {
      values.data = cells(cell_width(type));
      if (type.is(Type::Key)) values.children = model.children;
      if (!type.is(Type::Vector)) return values;
      for (const Values& child : model.children) values.children.push_back(read(child));
    }
    return values;
  }

 private:
  // Takes the next bytes of all rows, `width` for each value.
  Buffer cells(uint64_t width) const {
    if (!counts_.empty()) return joined(counts_, total_, width);
    std::byte* bytes = arena_.allocate(total_ * width);
    switch (width) {
      case 1: take_cells<1>(rows_, bytes); break;
      case 2: take_cells<2>(rows_, bytes); break;
      case 4: take_cells<4>(rows_, bytes); break;
      case 8: take_cells<8>(rows_, bytes); break;
      default: take_cells<16>(rows_, bytes);
    }
    return {bytes, total_ * width};
  }
  Buffer joined(std::span<const uint64_t> counts, uint64_t total, uint64_t width) const {
    std::byte* bytes = arena_.allocate(total * width);
    std::byte* to = bytes;
    for (uint64_t i = 0; i < rows_.size(); ++i) {
      const uint64_t size = counts[i] * width;
      if (size != 0) std::memcpy(to, rows_[i], size);
      to += size;
      rows_[i] += size;
    }
    return {bytes, total * width};
  }

  template <class Offset>
  void read_items(const Values& model, Values& values) const {
    constexpr uint64_t kMaxItems =
        std::numeric_limits<Offset>::max() / (sizeof(Offset) == 4 ? 1 : 32);
    const auto* lengths = cells(sizeof(Offset)).as<Offset>();
    auto* offsets = arena_.allocate_array<Offset>(total_ + 1);
    std::vector<uint64_t> counts(rows_.size());
    uint64_t at = 0, end = 0;
    for (uint64_t i = 0; i < rows_.size(); ++i) {
      for (uint64_t k = counts_.empty() ? 1 : counts_[i]; k != 0; --k, ++at) {
        offsets[at] = static_cast<Offset>(end);
        const auto length = static_cast<uint64_t>(lengths[at]);
        if (length > kMaxItems - end) {
          fail(ErrorKind::Limit, {}, "rows together have more than ", kMaxItems,
               model.type.has_bytes() ? " bytes" : " items");
        }
        end += length;
        counts[i] += length;
      }
    }
    offsets[total_] = static_cast<Offset>(end);
    values.offsets = {reinterpret_cast<const std::byte*>(offsets), (total_ + 1) * sizeof(Offset)};
    if (model.type.has_bytes()) {
      values.data = joined(counts, end, 1);
    } else {
      values.children = {ValueRuns(rows_, counts, arena_).read(model.children[0])};
    }
  }

  const std::span<const char*> rows_;
  const std::span<const uint64_t> counts_;
  Arena& arena_;
  uint64_t total_ = 0;
};

}  // namespace

void RowBytes::assign(const RowBatch& batch) {
  starts_.assign(batch.rows + 1, 0);
  // While rows are written, the start of the next row is where this row's next value goes.
  uint64_t* ends = starts_.data() + 1;
  for (const Values& values : batch.columns) {
    const uint64_t width = values.type.width();
    for (uint64_t row = 0; row < batch.rows; ++row) {
      ends[row] += width != 0 ? 1 + width : run_bytes(values, {row, row + 1});
    }
  }
  uint64_t bytes = 0;
  for (uint64_t row = 0; row < batch.rows; ++row) bytes += std::exchange(ends[row], bytes);
  if (bytes_.size() < bytes) bytes_.resize(bytes);
  for (const Values& values : batch.columns) {
    if (put_cells<4>(values, bytes_, ends) || put_cells<8>(values, bytes_, ends)) continue;
    for (uint64_t row = 0; row < batch.rows; ++row) {
      char* to = bytes_.data() + ends[row];
      ends[row] += static_cast<uint64_t>(put_run(values, {row, row + 1}, to) - to);
    }
  }
}

Values read_column(const Values& model, std::span<const char*> rows, Arena& arena) {
  return ValueRuns(rows, {}, arena).read(model);
}

}  // namespace heron::inline v0
