// The fields of a schema: what each stores, in which of a batch's nodes and buffers, and which
// columns they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_ipc_generated.h"
#include "heron/schema.h"

namespace heron::inline v0::arrow_ipc {

// How a field stores its values.
enum class Layout : uint8_t {
  Null,
  Bits,
  Cells,        // of `type`
  Halves,       // float16, read as float32
  NarrowDecimals,  // int32 or int64, read as decimals of 128 bits
  Numbers,      // int32 or int64 in another unit than that of `type`
  Text,         // offsets and characters, or the bytes of binary
  FixedBinary,  // `size` bytes each
  Views,
  List,       // offsets and one child
  FixedList,  // `size` items of one child each
  ListView,   // offsets and sizes, and one child
  RunEnds,    // two children: the ends of runs, and a value for each
  Struct,
  LocalTimes,  // two children: instants in nanoseconds, and minutes ahead of UTC
  Other,  // nothing that Heron has a type for; `reason` says what
};

// One field. Immutable once read.
struct StoredField {
  std::string_view name;  // in the verified schema
  Layout layout = Layout::Other;
  Type type;  // a key if the values are those of an ordered dictionary (set_key_types)
  uint32_t cell_bytes = 0;  // Cells, Numbers: bytes of a cell; Text, List, ListView: of an offset
  uint64_t size = 0;        // FixedBinary, FixedList
  int64_t multiply = 1;     // Numbers: the value is stored x multiply / divide
  int64_t divide = 1;
  std::string words;                  // the type in Arrow's words
  std::string reason;                 // Other: why the field cannot be read
  std::optional<int64_t> dictionary;  // number of the dictionary that codes refer to
  bool is_ordered = false;            // the dictionary's values are in their order
  Type code_type;                     // type of the codes
  uint32_t node = 0;                  // index of the first node
  uint32_t buffer = 0;                // index of the first buffer, without those of views before
  uint32_t buffers = 0;               // how many buffers the field and its children have
  uint32_t views_before = 0;          // fields of views before this one
  uint32_t views = 0;                 // how many fields of views the field has, itself included
  std::vector<StoredField> children;
  const arrow_fbs::Field* stored = nullptr;  // in the verified schema
};

// A column of the table: a field that is no struct, and the structs around it.
struct Leaf {
  const StoredField* field = nullptr;
  std::vector<const StoredField*> parents = {};  // outermost first
};

// All fields of a schema.
struct Fields {
  std::vector<StoredField> fields;
  std::vector<Leaf> leaves;
  uint32_t nodes = 0;
  uint32_t buffers = 0;  // without the buffers of characters of views
  uint32_t views = 0;    // fields of views
  // False: fields from one of an unknown type on are not counted, since no one knows how many nodes
  // and buffers that one has.
  bool are_counted = true;
};

// Reads fields that were verified and outlive the result. `file` is for errors. Throws
// Error(Corrupt) for fields without a type, Error(Limit) for types that are nested too deep.
Fields read_fields(const arrow_fbs::Schema& schema, arrow_fbs::MetadataVersion version,
                   const std::string& file);

// Returns the field of the values in the dictionary of a field, as read_fields() would.
Fields dictionary_fields(const StoredField& field, arrow_fbs::MetadataVersion version,
                         const std::string& file);

}  // namespace heron::inline v0::arrow_ipc
