// Types and names of columns, in Arrow's terms.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heron::inline v0 {

// What a value is. A list knows the type of its items; copying a type is cheap. Immutable.
class Type {
 public:
  enum Id : uint8_t {
    Null,  // nothing stored, every row missing
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
    Text,       // bytes, UTF-8 by convention and unchecked; int32 offsets
    LargeText,  // the same with int64 offsets
    Date32,     // int32 days since 1970-01-01
    Timestamp,  // int64 nanoseconds since 1970-01-01T00:00, no time zone
    List,       // int32 offsets into the items
    LargeList,  // int64 offsets
  };

  // Not for lists: Type::list makes those.
  Type(Id id = Id::Null) noexcept : id_(id) {}  // NOLINT: Type::Int32 is a Type
  static Type list(Type item, bool large = false);

  Id id() const noexcept { return id_; }
  bool is(Id id) const noexcept { return id_ == id; }
  bool is_text() const noexcept { return id_ == Text || id_ == LargeText; }
  bool is_list() const noexcept { return id_ == List || id_ == LargeList; }
  bool is_integer() const noexcept { return id_ >= Int8 && id_ <= UInt64; }
  bool is_float() const noexcept { return id_ == Float32 || id_ == Float64; }
  // Only of a list.
  const Type& item() const noexcept { return *item_; }
  // Bytes of one cell in Values::data; 0 for null, bool (a bit), text and lists.
  uint32_t width() const noexcept;
  // As the command line prints it: "int32", "timestamp[ns]", "list<text>".
  std::string name() const;

  friend bool operator==(const Type& a, const Type& b) noexcept;

 private:
  Id id_;
  std::shared_ptr<const Type> item_;
};

// One column as its schema tells it.
struct Field {
  std::string name;  // repaired: never empty, unique in its table
  Type type;
  std::string encoding;   // how the format stores it, in the format's words
  bool nullable = false;  // whether a value can be missing
  // False: the column cannot be read, and `reason` says why. It is left out of the default
  // projection when its type or codec is one nobody has defined; a damaged one stays in.
  bool readable = true;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> metadata;
};

using Schema = std::vector<Field>;

}  // namespace heron::inline v0
