// Types and names of columns, in Arrow's terms.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/export.h"

namespace heron::inline v0 {

// The type of a value. A list knows the type of its items; copying a type is cheap. Immutable.
class HERON_EXPORT Type {
 public:
  enum Id : uint8_t {
    Null,  // nothing stored, every row is null
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float32,
    Float64,
    Text,            // bytes, UTF-8 by convention and unchecked; int32 offsets
    LargeText,       // text with int64 offsets
    Date32,          // int32 days since 1970-01-01
    Timestamp,       // int64 units since 1970-01-01T00:00; with a time zone in UTC, else without
    List,            // int32 offsets into the items
    LargeList,       // int64 offsets into the items
    DateTime,        // int64 ticks of 100 ns since 0001-01-01T00:00, no time zone
    Duration,        // int64 units
    DateTimeOffset,  // ticks of a local clock and its minutes ahead of UTC: struct DateTimeOffset
    RowId,           // 128 bits: struct RowId
    Key,             // unsigned integers 1, 2, .., that may have values
    Vector,          // slots, of which a row may store only those that are not zero
    Int128,          // struct WideInteger; only sums of integers that 64 bits do not hold
    Time,            // int64 nanoseconds since midnight, below a day
    Decimal,         // struct WideInteger x 10^-scale
    Binary,          // bytes that are no text; int32 offsets
    LargeBinary,     // binary with int64 offsets
  };

  // What timestamps and durations count.
  enum Unit : uint8_t { Second, Millisecond, Microsecond, Tick, Nanosecond };  // a tick is 100 ns

  // Timestamps count nanoseconds, durations ticks; functions below make those of other units,
  // decimals, lists, keys and vectors.
  Type(Id id = Id::Null) noexcept  // NOLINT: Type::Int32 is a Type
      : id_(id), unit_(id == Duration ? Tick : Nanosecond) {}
  // A time zone is a name, "Europe/Berlin", or an offset, "+02:00"; empty: local times. Values of a
  // zone are instants in UTC. Throws Error(Argument) for ticks.
  static Type timestamp(Unit unit, std::string zone = {});
  static Type duration(Unit unit);
  // `precision` decimal digits, of which `scale` are behind the point. Throws Error(Argument) unless
  // 0 <= scale <= precision and 1 <= precision <= kMaxPrecision.
  static Type decimal(uint32_t precision, uint32_t scale);
  static constexpr uint32_t kMaxPrecision = 38;
  static Type list(Type item, bool large = false);
  // `stored` is an unsigned type, else Error(Argument); a number that is not null is from 1 to
  // `count`, never 0.
  static Type key(Type::Id stored, uint64_t count);
  // `slots` per row; 0: each row has its own number of slots. Items are neither lists nor vectors.
  static Type vector(Type item, uint64_t slots = 0);
  // A vector of several dimensions, the last of which changes fastest; a size of 0 is unknown, and
  // so is then the number of slots. Throws Error(Argument) for more than 2^31 - 1 slots.
  static Type vector(Type item, std::span<const uint64_t> dimensions);
  static Type vector(Type item, std::initializer_list<uint64_t> dimensions);

  Id id() const noexcept { return id_; }
  bool is(Id id) const noexcept { return id_ == id; }
  bool is_text() const noexcept { return id_ == Text || id_ == LargeText; }
  bool is_binary() const noexcept { return id_ == Binary || id_ == LargeBinary; }
  // Values are bytes at offsets: text or binary.
  bool has_bytes() const noexcept { return is_text() || is_binary(); }
  bool is_list() const noexcept { return id_ == List || id_ == LargeList; }
  // Rows have offsets, into bytes or into the items of lists; large ones have 64 bits.
  bool has_offsets() const noexcept { return has_bytes() || is_list(); }
  bool has_large_offsets() const noexcept {
    return id_ == LargeText || id_ == LargeBinary || id_ == LargeList;
  }
  // A value has items of another type: a list or a vector.
  bool is_nested() const noexcept { return is_list() || id_ == Vector; }
  bool is_integer() const noexcept { return id_ >= Int8 && id_ <= UInt64; }
  bool is_float() const noexcept { return id_ == Float32 || id_ == Float64; }
  // The item type of a list or vector; of a key the type of the stored numbers.
  const Type& item() const noexcept;
  // The slots of a vector, 0 if rows differ; the count of a key; the precision of a decimal.
  uint64_t size() const noexcept { return size_; }
  // The digits of a decimal behind the point.
  uint32_t scale() const noexcept { return scale_; }
  // The unit of a timestamp or duration.
  Unit unit() const noexcept { return unit_; }
  // The time zone of a timestamp, empty without one. Valid as long as a copy of the type.
  std::string_view zone() const noexcept;
  // The sizes of a vector of several dimensions; else empty. Valid as long as a copy of the type.
  std::span<const uint64_t> dimensions() const noexcept;
  // Returns a vector with one dimension; any other type as it is.
  Type flat() const;
  // Bytes of one cell in Values::data; 0 for null, bool (a bit), text, binary, lists and vectors.
  uint32_t width() const noexcept;
  // The name that the command line prints: "int32", "timestamp[us, Europe/Berlin]", "duration" (of
  // ticks), "duration[ns]", "decimal[10,2]", "list<text>", "key<uint32>[5]", "vector<float32>[4]",
  // "vector<float32>[2x4]", with ? for an unknown size.
  std::string name() const;

  HERON_EXPORT friend bool operator==(const Type& a, const Type& b) noexcept;

 private:
  struct Nested;

  Id id_;
  Unit unit_;
  uint8_t scale_ = 0;
  std::shared_ptr<const Nested> nested_;  // null unless a list, key or vector, or with a zone
  uint64_t size_ = 0;
};

struct Type::Nested {
  Type item = {};
  std::vector<uint64_t> dimensions = {};
  std::string zone = {};
};

inline const Type& Type::item() const noexcept {
  return nested_->item;
}
inline std::string_view Type::zone() const noexcept {
  return nested_ == nullptr ? std::string_view() : nested_->zone;
}
inline std::span<const uint64_t> Type::dimensions() const noexcept {
  return nested_ == nullptr ? std::span<const uint64_t>() : nested_->dimensions;
}

// A cell of type DateTimeOffset.
struct DateTimeOffset {
  int64_t ticks = 0;    // 100 ns each, since 0001-01-01T00:00 on the local clock
  int16_t minutes = 0;  // how far that clock is ahead of UTC
  int16_t unused[3] = {};
};
struct RowId {
  uint64_t low = 0;
  uint64_t high = 0;
};

// A cell of type Int128 or Decimal: high x 2^64 + low.
struct WideInteger {
  uint64_t low = 0;
  int64_t high = 0;
  bool operator==(const WideInteger&) const = default;
};

struct RowBatch;

// Metadata that a format stores about a column besides its values.
struct Metadata {
  Metadata(std::string of, std::string in_words) : name(std::move(of)), text(std::move(in_words)) {}
  Metadata(std::string of, std::shared_ptr<const RowBatch> stored)
      : name(std::move(of)), value(std::move(stored)) {}

  std::string name;
  std::string text;  // used if there is no value
  // One row of one column, of any type: slot names are a vector<text>.
  std::shared_ptr<const RowBatch> value;
};

// One column of a schema.
struct Field {
  std::string name;  // repaired: never empty, unique in its table
  Type type;
  std::string encoding;   // how the format stores it, in the format's words
  bool nullable = false;  // whether a value can be null
  // False if the column cannot be read; `reason` says why. The default projection leaves it out if
  // its type or codec is undefined, but not if it is damaged.
  bool readable = true;
  std::string reason;
  // Present only in the schema and the fields of a table; the schemas of projections and batches
  // omit it, because it may be large.
  std::vector<Metadata> metadata;
};

using Schema = std::vector<Field>;

// How a stored cell marks null.
enum class NullEncoding : uint8_t {
  Never,
  Sentinel,     // the minimum of the signed integer
  Zero,         // the unsigned integer is 0
  NaN,          // any NaN
  Bitmap,       // the row's bit in the bitmap is clear
  BitmapOrNaN,  // a clear bit or any NaN
  OffsetBit,    // texts: the top bit of the end offset
};

}  // namespace heron::inline v0
