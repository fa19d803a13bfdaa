#include "heron/schema.h"

namespace heron::inline v0 {

Type Type::list(Type item, bool large) {
  Type type(large ? LargeList : List);
  type.item_ = std::make_shared<const Type>(std::move(item));
  return type;
}

Type Type::key(Type::Id stored, uint64_t count) {
  Type type(Key);
  type.item_ = std::make_shared<const Type>(stored);
  type.size_ = count;
  return type;
}

Type Type::vector(Type item, uint64_t slots) {
  Type type(Vector);
  type.item_ = std::make_shared<const Type>(std::move(item));
  type.size_ = slots;
  return type;
}

uint32_t Type::width() const noexcept {
  switch (id_) {
    case Int8:
    case UInt8: return 1;
    case Int16:
    case UInt16: return 2;
    case Int32:
    case UInt32:
    case Float32:
    case Date32: return 4;
    case Int64:
    case UInt64:
    case Float64:
    case Timestamp:
    case DateTime:
    case Duration: return 8;
    case DateTimeOffset:
    case RowId: return 16;
    case Key: return item_->width();
    case Null:
    case Bool:
    case Text:
    case LargeText:
    case List:
    case LargeList:
    case Vector: return 0;
  }
  return 0;
}

std::string Type::name() const {
  switch (id_) {
    case Null: return "null";
    case Bool: return "bool";
    case Int8: return "int8";
    case Int16: return "int16";
    case Int32: return "int32";
    case Int64: return "int64";
    case UInt8: return "uint8";
    case UInt16: return "uint16";
    case UInt32: return "uint32";
    case UInt64: return "uint64";
    case Float32: return "float32";
    case Float64: return "float64";
    case Text:
    case LargeText: return "text";
    case Date32: return "date32";
    case Timestamp: return "timestamp[ns]";
    case List:
    case LargeList: return "list<" + item_->name() + ">";
    case DateTime: return "datetime";
    case Duration: return "duration";
    case DateTimeOffset: return "datetimeoffset";
    case RowId: return "rowid";
    case Key: return "key<" + item_->name() + ">[" + std::to_string(size_) + "]";
    case Vector:
      return "vector<" + item_->name() + (size_ == 0 ? ">" : ">[" + std::to_string(size_) + "]");
  }
  return {};
}

bool operator==(const Type& a, const Type& b) noexcept {
  if (a.id_ != b.id_ || a.size_ != b.size_) return false;
  return a.item_ == b.item_ || (a.item_ != nullptr && b.item_ != nullptr && *a.item_ == *b.item_);
}

}  // namespace heron::inline v0
