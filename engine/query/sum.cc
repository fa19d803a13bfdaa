// Sums column by column, in the order of sum_order.h.
//
// Null floats are NaNs, and most blocks have none: a block is summed as it is, and again with
// the NaNs left out only if a NaN came out. Integers are summed exactly, the nulls with the
// others, counted, and taken off.
#include "bytes/view_reader.h"
#include "columns/dictionary.h"
#include "columns/packed_cells.h"
#include "query/sum_kernels.h"
#include "values/bitmap.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kChunkBlocks = 16;

// Adds up the cells of one column, a chunk at a time.
class Summer {
 public:
  Summer(const Column& column, const Context& context)
      : column_(column), context_(context), arena_(context.memory) {
    const std::optional<FlatCells> flat = column.flat();
    if (!flat) return;
    flat_ = *flat;
    if (flat->dictionary == nullptr) {
      way_ = flat->packed() ? Way::InPlace : Way::Values;
    } else if (flat->kind == FlatCells::Kind::Fixed && column.type().is(Type::Float64)) {
      way_ = Way::Codes;
    }
  }

  double run() {
    const uint64_t rows = column_.rows();
    for (uint64_t first = 0; first < rows;) {
      context_.step(first, rows);
      // What is copied stays in the first cache.
      const uint64_t blocks = way_ == Way::InPlace ? kChunkBlocks : 1;
      const uint64_t last = first + std::min(rows - first, kSumBlockRows * blocks);
      arena_.reset();
      add_rows({first, last});
      first = last;
    }
    return floats_ + static_cast<double>(integers_);
  }

 private:
  // How rows are come by: cells that lie packed in the file, codes of floats, or whatever else
  // through Column::read.
  enum class Way : uint8_t { InPlace, Codes, Values };

  void add_rows(RowRange rows) {
    if (way_ == Way::InPlace) return add_chunk(rows);
    if (way_ == Way::Codes && add_codes(rows)) return;
    add_values(column_.read(rows, arena_, context_));
  }

  // Of up to a block. False, and nothing added, if a code has no value: Column::read knows what
  // that means.
  bool add_codes(RowRange rows) {
    // Any code of a byte can be looked up.
    const auto use = flat_.cell_bytes == 1 ? CellUse::AsValues : CellUse::AsPlaces;
    const std::byte* codes = packed_cells(flat_, rows, arena_, context_, use);
    switch (flat_.cell_bytes) {
      case 1: return add_codes_of<uint8_t>(codes, rows.rows());
      case 2: return add_codes_of<uint16_t>(codes, rows.rows());
      default: return add_codes_of<uint32_t>(codes, rows.rows());
    }
  }
  template <class Code>
  bool add_codes_of(const std::byte* cells, uint64_t rows) {
    const auto* codes = reinterpret_cast<const Code*>(cells);
    if (dispatch<LargestCell<Code>>(codes, rows) >= flat_.dictionary->size()) return false;
    const auto* values = reinterpret_cast<const double*>(flat_.dictionary->cells(context_));
    floats_ += dispatch<SumCodes<Code>>(codes, rows, values);
    return true;
  }

  void add_chunk(RowRange rows) {
    const std::byte* validity = nullptr;
    if (flat_.nulls == NullEncoding::Bitmap || flat_.nulls == NullEncoding::BitmapOrNaN) {
      validity = window_of_bits(flat_.validity, rows);
    }
    if (flat_.kind == FlatCells::Kind::Bits) return add_bits(rows, validity);
    const uint64_t width = flat_.cell_bytes;
    const std::byte* cells =
        window(flat_.cells, rows.first * width, rows.rows() * width, 1, arena_, context_);
    for (uint64_t first = 0; first < rows.rows(); first += kSumBlockRows) {
      const uint64_t count = std::min(rows.rows() - first, kSumBlockRows);
      const std::byte* block = cells + first * width;
      if (validity != nullptr)
        block = only_valid(block, validity + first / 8, count, width, arena_);
      add_block(block, count);
    }
  }

  void add_values(const Values& values) {
    if (values.type.is(Type::Bool)) {
      for (uint64_t row = 0; row < values.rows; ++row) {
        integers_ += !values.is_null(row) && values.get_bool(row);
      }
      return;
    }
    const uint64_t width = values.type.width();
    const std::byte* block = values.data.data;
    if (values.null_count != 0) {
      block = only_valid(block, values.validity.data, values.rows, width, arena_);
    }
    add_block(block, values.rows);
  }

  // Chunks begin at a multiple of 8 rows.
  const std::byte* window_of_bits(const ByteView& bits, RowRange rows) {
    return window(bits, rows.first / 8, bitmap_bytes(rows.rows()), 1, arena_, context_);
  }

  void add_bits(RowRange rows, const std::byte* validity) {
    const std::byte* bits = window_of_bits(flat_.cells, rows);
    for (uint64_t i = 0; i < rows.rows(); ++i) {
      integers_ += get_bit(bits, i) && (validity == nullptr || get_bit(validity, i));
    }
  }

  void add_block(const std::byte* block, uint64_t count) {
    if (column_.type().is(Type::Bool)) {
      const bool has_sentinel = flat_.nulls == NullEncoding::Sentinel;
      integers_ += dispatch<CountTrue>(block, count, has_sentinel);
      return;
    }
    visit_cell_type(column_.type(), [&]<class T>() {
      if constexpr (std::is_floating_point_v<T>)
        add_floats<T>(block, count);
      else
        add_integers<T>(block, count);
    });
  }

  template <class T>
  void add_integers(const std::byte* block, uint64_t count) {
    const IntegerSum sum = dispatch<SumIntegers<T>>(block, count);
    integers_ += sum.sum;
    if (flat_.nulls == NullEncoding::Sentinel) {
      integers_ -= static_cast<Int128>(std::numeric_limits<T>::min()) * sum.sentinels;
    }
  }

  template <class T>
  void add_floats(const std::byte* block, uint64_t count) {
    double sum = dispatch<SumFloats<T, false>>(block, count);
    const bool nan_is_null =
        flat_.nulls == NullEncoding::NaN || flat_.nulls == NullEncoding::BitmapOrNaN;
    if (sum != sum && nan_is_null) sum = dispatch<SumFloats<T, true>>(block, count);
    floats_ += sum;
  }

  const Column& column_;
  const Context& context_;
  Arena arena_;
  Way way_ = Way::Values;
  FlatCells flat_;
  Int128 integers_ = 0;
  double floats_ = 0;
};

}  // namespace

void check_summable(const Projection& columns, uint64_t i) {
  const Column& column = *columns.columns()[i];
  const Type& type = column.type();
  if (!type.is(Type::Bool) && !type.is_integer() && !type.is_float()) {
    fail(ErrorKind::Argument, columns.table()->bytes()->name(), "column \"", column.name(),
         "\" of type ", type.name(), " has no sum");
  }
  columns.table()->bytes()->check_whole_read();
}

double sum(const Projection& columns, uint64_t i, const Context& context) {
  check_summable(columns, i);
  return unless_changed(*columns.table()->bytes(), [&] {
    const double total = Summer(*columns.columns()[i], context).run();
    columns.table()->bytes()->check_unchanged();
    return total;
  });
}

}  // namespace heron::inline v0
