#include "safetensors/tables.h"

#include "base/in_quotes.h"
#include "columns/fixed_column.h"
#include "columns/null_column.h"
#include "columns/small_float_column.h"
#include "columns/sparse_list_column.h"

namespace heron::inline v0::safetensors {
namespace {

constexpr uint64_t kMaxSlots = INT32_MAX;  // of a vector
constexpr std::string_view kValues = "values";

// Makes the column of the elements one by one.
ColumnPtr elements(const ByteSource& bytes, const Tensor& tensor, uint64_t count,
                   ColumnLabel label) {
  const ByteView cells{&bytes, tensor.offset, tensor.bytes};
  if (tensor.dtype->small) {
    return std::make_unique<SmallFloatColumn>(count, std::move(label),
                                              SmallFloatCells{*tensor.dtype->small, cells});
  }
  return std::make_unique<FixedColumn>(*tensor.dtype->type, count, std::move(label),
                                       FixedCells{cells});
}

// The slots of a row, and the type of the vector; nullopt: more slots than a vector has.
struct Vector {
  uint64_t slots = 1;
  Type type;
};
std::optional<Vector> vector_of(const Tensor& tensor) {
  Vector vector;
  const auto dimensions = std::span(tensor.shape).subspan(1);
  for (const uint64_t size : dimensions) {
    if (size == 0) return Vector{0, Type::vector(*tensor.dtype->type)};
  }
  for (const uint64_t size : dimensions) {
    if (size > kMaxSlots / vector.slots) return std::nullopt;
    vector.slots *= size;
  }
  const Type item = *tensor.dtype->type;
  vector.type =
      dimensions.size() == 1 ? Type::vector(item, vector.slots) : Type::vector(item, dimensions);
  return vector;
}

template <class... Parts>
ColumnPtr unsupported(const ByteSource& bytes, const Tensor& tensor, const ColumnLabel& label,
                      const Parts&... parts) {
  return std::make_unique<UnreadableColumn>(
      Type::Null, tensor.rows(), label,
      Error(ErrorKind::Unsupported, bytes.name(),
            concat("tensor ", in_quotes(tensor.name), ": ", parts...)));
}

ColumnPtr open_tensor(const ByteSource& bytes, const Tensor& tensor, const std::string& name) {
  ColumnLabel label{name, tensor.dtype_name};
  if (tensor.dtype == nullptr || !tensor.dtype->type) {
    return unsupported(bytes, tensor, label, "the element type ", in_quotes(tensor.dtype_name),
                       " is not supported");
  }
  const uint64_t rows = tensor.rows();
  if (tensor.shape.size() <= 1) return elements(bytes, tensor, rows, std::move(label));
  const std::optional<Vector> vector = vector_of(tensor);
  if (!vector || rows > kMaxSlots) {
    return unsupported(bytes, tensor, label, "expected at most ", kMaxSlots,
                       " rows and slots a row, got shape ", tensor.shape_text());
  }
  const uint64_t count = rows * vector->slots;  // at most the elements of the file
  return std::make_unique<SparseListColumn>(
      vector->type, rows, std::move(label), SparseCells{vector->slots},
      elements(bytes, tensor, count, {name, tensor.dtype_name}), Context{});
}

// A shape follows from type and rows, but for a scalar and a tensor without elements, so that a
// copy of other rows must not inherit it.
std::vector<Metadata> metadata_of(const Tensor& tensor) {
  return {Metadata("shape", tensor.shape_text())};
}

class OneTensor final : public TableSource {
 public:
  OneTensor(const ByteSource& bytes, TensorsPtr tensors, uint64_t tensor)
      : bytes_(bytes), tensors_(std::move(tensors)), tensor_((*tensors_)[tensor]) {}

  uint64_t column_count() const noexcept override { return 1; }
  std::string stored_name(uint64_t) const override { return std::string(kValues); }
  ColumnPtr open_column(uint64_t, const std::string& name) const override {
    return open_tensor(bytes_, tensor_, name);
  }
  std::vector<Metadata> metadata(uint64_t) const override { return metadata_of(tensor_); }
  bool has_only_statistics() const noexcept override { return true; }

 private:
  const ByteSource& bytes_;
  TensorsPtr tensors_;
  const Tensor& tensor_;
};

class AllTensors final : public TableSource {
 public:
  AllTensors(const ByteSource& bytes, TensorsPtr tensors)
      : bytes_(bytes), tensors_(std::move(tensors)) {}

  uint64_t column_count() const noexcept override { return tensors_->size(); }
  std::string stored_name(uint64_t column) const override { return (*tensors_)[column].name; }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    return open_tensor(bytes_, (*tensors_)[column], name);
  }
  std::vector<Metadata> metadata(uint64_t column) const override {
    return metadata_of((*tensors_)[column]);
  }
  bool has_only_statistics() const noexcept override { return true; }

 private:
  const ByteSource& bytes_;
  TensorsPtr tensors_;
};

}  // namespace

std::unique_ptr<const TableSource> tensor_table(const ByteSource& bytes, TensorsPtr tensors,
                                                uint64_t tensor) {
  return std::make_unique<OneTensor>(bytes, std::move(tensors), tensor);
}

std::unique_ptr<const TableSource> joint_table(const ByteSource& bytes, TensorsPtr tensors) {
  return std::make_unique<AllTensors>(bytes, std::move(tensors));
}

}  // namespace heron::inline v0::safetensors
