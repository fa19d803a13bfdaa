#include "jay/column_sink.h"

#include "jay/fixed_sink.h"
#include "jay/layout.h"
#include "jay/varlen_writer.h"

namespace heron::inline v0::jay {
namespace {

// Stores only the number of rows, in the layout before 1.1, as the reference writer does.
class NullSink final : public ColumnSink {
 public:
  void append(const Values&, RowRange rows) override { rows_ += rows.rows(); }

  flatbuffers::Offset<jay_fbs::Column> finish(
      flatbuffers::FlatBufferBuilder& meta,
      flatbuffers::Offset<flatbuffers::String> name) override {
    jay_fbs::ColumnBuilder column(meta);
    column.add_stype(jay_fbs::SType::Void0);
    column.add_nullcount(rows_);
    if (name.IsNull()) {
      column.add_nrows(rows_);  // a column of a table has the table's rows
    } else {
      column.add_name(name);
    }
    return column.Finish();
  }

  flatbuffers::Offset<jay_fbs::Type> describe(flatbuffers::FlatBufferBuilder& meta) const override {
    return jay_fbs::CreateType(meta, jay_fbs::SType::Void0);
  }

 private:
  uint64_t rows_ = 0;
};

template <class Cell, class Pair>
std::unique_ptr<ColumnSink> fixed(Store& store, Layout layout, jay_fbs::SType stype) {
  return std::make_unique<FixedSink<Cell, Pair>>(store, layout, stype);
}

}  // namespace

std::unique_ptr<ColumnSink> make_sink(const Type& type, Layout layout, Store& store,
                                      uint64_t narrow_limit) {
  switch (type.id()) {
    case Type::Bool: return fixed<int8_t, jay_fbs::BoolStats>(store, layout, jay_fbs::SType::Bool8);
    case Type::Int8: return fixed<int8_t, jay_fbs::Int8Stats>(store, layout, jay_fbs::SType::Int8);
    case Type::Int16:
      return fixed<int16_t, jay_fbs::Int16Stats>(store, layout, jay_fbs::SType::Int16);
    case Type::Int32:
      return fixed<int32_t, jay_fbs::Int32Stats>(store, layout, jay_fbs::SType::Int32);
    case Type::Date32:
      return fixed<int32_t, jay_fbs::Int32Stats>(store, layout, jay_fbs::SType::Date32);
    case Type::Int64:
      return fixed<int64_t, jay_fbs::Int64Stats>(store, layout, jay_fbs::SType::Int64);
    case Type::Timestamp:
      return fixed<int64_t, jay_fbs::Int64Stats>(store, layout, jay_fbs::SType::Time64);
    case Type::Float32:
      return fixed<float, jay_fbs::Float32Stats>(store, layout, jay_fbs::SType::Float32);
    case Type::Float64:
      return fixed<double, jay_fbs::Float64Stats>(store, layout, jay_fbs::SType::Float64);
    case Type::Text:
    case Type::LargeText: return std::make_unique<TextSink>(store, layout, narrow_limit);
    case Type::List:
    case Type::LargeList:
      return std::make_unique<ListSink>(store, type.is(Type::LargeList) ? 0 : narrow_limit,
                                        make_sink(type.item(), layout, store, narrow_limit));
    default: return std::make_unique<NullSink>();
  }
}

jay_fbs::Buffer as_buffer(const Extent& extent) {
  return {extent.offset - kHeadBytes, extent.bytes};
}

}  // namespace heron::inline v0::jay
