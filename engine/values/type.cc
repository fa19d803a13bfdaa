#include "heron/schema.h"

#include "base/fail.h"
#include "heron/error.h"
#include "values/times.h"

namespace heron::inline v0 {

Type Type::timestamp(Unit unit, std::string zone) {
  if (unit == Tick) fail(ErrorKind::Argument, {}, "no timestamps of ticks: expected a datetime");
  Type type(Timestamp);
  type.unit_ = unit;
  if (!zone.empty()) type.nested_ = std::make_shared<const Nested>(Nested{.zone = std::move(zone)});
  return type;
}

Type Type::duration(Unit unit) {
  Type type(Duration);
  type.unit_ = unit;
  return type;
}

Type Type::decimal(uint32_t precision, uint32_t scale) {
  if (precision == 0 || precision > kMaxPrecision || scale > precision) {
    fail(ErrorKind::Argument, {}, "no decimals of ", precision, " digits, ", scale,
         " of them behind the point: expected 1 to ", kMaxPrecision, " digits");
  }
  Type type(Decimal);
  type.size_ = precision;
  type.scale_ = static_cast<uint8_t>(scale);
  return type;
}

Type Type::list(Type item, bool large) {
  Type type(large ? LargeList : List);
  type.nested_ = std::make_shared<const Nested>(Nested{std::move(item)});
  return type;
}

Type Type::key(Type::Id stored, uint64_t count) {
  if (stored < UInt8 || stored > UInt64) {
    fail(ErrorKind::Argument, {}, "no keys of type ", Type(stored).name(),
         ": expected an unsigned integer");
  }
  Type type(Key);
  type.nested_ = std::make_shared<const Nested>(Nested{stored});
  type.size_ = count;
  return type;
}

Type Type::vector(Type item, uint64_t slots) {
  Type type(Vector);
  type.nested_ = std::make_shared<const Nested>(Nested{std::move(item)});
  type.size_ = slots;
  return type;
}

Type Type::vector(Type item, std::span<const uint64_t> dimensions) {
  uint64_t slots = dimensions.empty() ? 0 : 1;
  for (const uint64_t size : dimensions) {
    if (size > INT32_MAX || slots * size > INT32_MAX) {
      fail(ErrorKind::Argument, {}, "a vector of more than ", INT32_MAX, " slots");
    }
    slots *= size;
  }
  Type type = vector(std::move(item), slots);
  if (dimensions.size() < 2) return type;
  type.nested_ =
      std::make_shared<const Nested>(Nested{type.item(), {dimensions.begin(), dimensions.end()}});
  return type;
}

Type Type::vector(Type item, std::initializer_list<uint64_t> dimensions) {
  return vector(std::move(item), std::span(dimensions.begin(), dimensions.size()));
}

Type Type::flat() const {
  return dimensions().empty() ? *this : vector(item(), size_);
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
    case Duration:
    case Time: return 8;
    case DateTimeOffset:
    case RowId:
    case Int128:
    case Decimal: return 16;
    case Key: return item().width();
    case Null:
    case Bool:
    case Text:
    case LargeText:
    case Binary:
    case LargeBinary:
    case List:
    case LargeList:
    case Vector: return 0;
  }
  return 0;
}

namespace {

// "[2x4]"; nothing if the number of slots is unknown and there is one dimension.
std::string shape_name(const Type& vector) {
  if (vector.dimensions().empty()) {
    return vector.size() == 0 ? "" : concat('[', vector.size(), ']');
  }
  std::string name;
  for (const uint64_t size : vector.dimensions()) {
    name += name.empty() ? '[' : 'x';
    name += size == 0 ? "?" : std::to_string(size);
  }
  return name + ']';
}

}  // namespace

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
    case Timestamp:
      return concat("timestamp[", unit_name(unit_), zone().empty() ? "" : ", ", zone(), ']');
    case List:
    case LargeList: return "list<" + item().name() + ">";
    case DateTime: return "datetime";
    case Duration: return unit_ == Tick ? "duration" : concat("duration[", unit_name(unit_), ']');
    case DateTimeOffset: return "datetimeoffset";
    case RowId: return "rowid";
    case Int128: return "int128";
    case Time: return "time";
    case Decimal: return concat("decimal[", size_, ',', uint32_t{scale_}, ']');
    case Binary:
    case LargeBinary: return "binary";
    case Key: return "key<" + item().name() + ">[" + std::to_string(size_) + "]";
    case Vector: return "vector<" + item().name() + ">" + shape_name(*this);
  }
  return {};
}

bool operator==(const Type& a, const Type& b) noexcept {
  if (a.id_ != b.id_ || a.size_ != b.size_ || a.unit_ != b.unit_ || a.scale_ != b.scale_) {
    return false;
  }
  if (a.nested_ == b.nested_) return true;
  return a.nested_ != nullptr && b.nested_ != nullptr && a.item() == b.item() &&
         a.nested_->dimensions == b.nested_->dimensions && a.zone() == b.zone();
}

}  // namespace heron::inline v0
