// Verifies the tables of a record. The verifier that flatc generates does not suffice: older
// writers store a statistics tag without statistics, which it rejects, and it takes fields for
// absent that a damaged size hides. This one walks the same tables.
#include "jay/record.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "jay/layout.h"

namespace heron::inline v0::jay {
namespace {

// Nested arrays take two tables per level.
constexpr uint32_t kMaxLevels = 128;

flatbuffers::Verifier::Options limits(uint64_t record_bytes) {
  flatbuffers::Verifier::Options options;
  options.max_depth = kMaxLevels;
  // A table and the offset to it take at least eight bytes, and no writer shares one, so a record
  // cannot make us walk more tables than fit into it.
  options.max_tables = static_cast<flatbuffers::uoffset_t>(record_bytes / 8);
  return options;
}

uint32_t stats_bytes(jay_fbs::Stats tag) {
  switch (tag) {
    case jay_fbs::Stats::Bool:
    case jay_fbs::Stats::Int8: return 2;
    case jay_fbs::Stats::Int16: return 4;
    case jay_fbs::Stats::Int32:
    case jay_fbs::Stats::Float32: return 8;
    case jay_fbs::Stats::Int64:
    case jay_fbs::Stats::Float64: return 16;
    default: return 0;
  }
}

// Returns the flatbuffers::Table that generated classes overlay and hide.
const flatbuffers::Table& table_of(const void* generated) {
  return *static_cast<const flatbuffers::Table*>(generated);
}

// The field sizes of each kind of table; each is aligned to its size, at most to 8.
constexpr uint16_t kFrameFields[] = {8, 8, 4, 4};
constexpr uint16_t kColumnFields[] = {1, 16, 16, 4, 8, 1, 4, 4, 8, 4, 4};
constexpr uint16_t kTypeFields[] = {1, 1, 4};

// The head of a table's vtable; the offset of each field in the table follows.
struct VTable {
  uint16_t bytes;        // size of the vtable
  uint16_t table_bytes;  // size of the table, including the offset to the vtable
};

// A field that is not in the vtable has its default. flatbuffers accepts a vtable of any size, even
// 0, and ignores the table's size, so one flipped bit could turn a column of int64 into one of
// bools, the default type. Therefore a table must end where its last field does, except for
// alignment.
bool verify_sizes(const flatbuffers::Verifier& verifier, const flatbuffers::Table& table,
                  std::span<const uint16_t> field_bytes) {
  using flatbuffers::uoffset_t, flatbuffers::voffset_t;
  const uint8_t* stored = table.GetVTable();
  const VTable vtable{flatbuffers::ReadScalar<voffset_t>(stored),
                      flatbuffers::ReadScalar<voffset_t>(stored + sizeof(voffset_t))};
  const auto* start = reinterpret_cast<const uint8_t*>(&table);
  if (!verifier.VerifyFieldStruct(start, 0, vtable.table_bytes, 1)) return false;
  const size_t fields = vtable.bytes / sizeof(voffset_t) - 2;
  uint32_t end = sizeof(uoffset_t);
  uint32_t alignment = sizeof(uoffset_t);
  for (size_t i = 0; i < std::min(fields, field_bytes.size()); ++i) {
    const auto at = flatbuffers::ReadScalar<voffset_t>(stored + (2 + i) * sizeof(voffset_t));
    if (at == 0) continue;
    if (at < sizeof(uoffset_t)) return false;
    const uint32_t field_end = uint32_t{at} + field_bytes[i];
    if (field_end <= end) continue;
    end = field_end;
    alignment = std::min<uint32_t>(field_bytes[i], kAlignment);
  }
  if (end > vtable.table_bytes) return false;
  const bool has_unknown_fields = fields > field_bytes.size();
  return has_unknown_fields || vtable.table_bytes - end < alignment;
}

bool verify_start(flatbuffers::Verifier& verifier, const flatbuffers::Table& table,
                  std::span<const uint16_t> field_bytes) {
  // All bytes that the vtable claims are inside; if they include its two sizes, both can be read.
  return table.VerifyTableStart(verifier) &&
         flatbuffers::ReadScalar<flatbuffers::voffset_t>(table.GetVTable()) >= sizeof(VTable) &&
         verify_sizes(verifier, table, field_bytes);
}

using Columns = flatbuffers::Vector<flatbuffers::Offset<jay_fbs::Column>>;
bool verify_columns(flatbuffers::Verifier& verifier, const Columns* columns);

bool verify_type(flatbuffers::Verifier& verifier, const jay_fbs::Type* type) {
  if (type == nullptr) return true;
  using Fields = jay_fbs::Type;
  const flatbuffers::Table& table = table_of(type);
  return verify_start(verifier, table, kTypeFields) &&
         table.VerifyField<uint8_t>(verifier, Fields::VT_STYPE, 1) &&
         table.VerifyField<uint8_t>(verifier, Fields::VT_EXTRA_TYPE, 1) &&
         table.VerifyOffset(verifier, Fields::VT_EXTRA) &&
         verify_type(verifier, type->extra_as_child()) && verifier.EndTable();
}

bool verify_stats(const flatbuffers::Verifier& verifier, const jay_fbs::Column& column) {
  const auto* payload = static_cast<const uint8_t*>(column.stats());
  const uint32_t bytes = stats_bytes(column.stats_type());
  return payload == nullptr || bytes == 0 ||
         verifier.VerifyFieldStruct(payload, 0, bytes, bytes / 2);
}

// flatbuffers checks the range of a vector's length, but not that of the structs in it.
bool verify_buffers(const flatbuffers::Verifier& verifier,
                    const flatbuffers::Vector<const jay_fbs::Buffer*>* buffers) {
  return verifier.VerifyVector(buffers) &&
         (buffers == nullptr || buffers->size() == 0 ||
          reinterpret_cast<uintptr_t>(buffers->Data()) % alignof(jay_fbs::Buffer) == 0);
}

bool verify_column(flatbuffers::Verifier& verifier, const jay_fbs::Column& column) {
  using Fields = jay_fbs::Column;
  const flatbuffers::Table& table = table_of(&column);
  return verify_start(verifier, table, kColumnFields) &&
         table.VerifyField<uint8_t>(verifier, Fields::VT_STYPE, 1) &&
         table.VerifyField<jay_fbs::Buffer>(verifier, Fields::VT_DATA, 8) &&
         table.VerifyField<jay_fbs::Buffer>(verifier, Fields::VT_STRDATA, 8) &&
         table.VerifyOffset(verifier, Fields::VT_NAME) && verifier.VerifyString(column.name()) &&
         table.VerifyField<uint64_t>(verifier, Fields::VT_NULLCOUNT, 8) &&
         table.VerifyField<uint8_t>(verifier, Fields::VT_STATS_TYPE, 1) &&
         table.VerifyOffset(verifier, Fields::VT_STATS) && verify_stats(verifier, column) &&
         table.VerifyOffset(verifier, Fields::VT_TYPE) && verify_type(verifier, column.type()) &&
         table.VerifyField<uint64_t>(verifier, Fields::VT_NROWS, 8) &&
         table.VerifyOffset(verifier, Fields::VT_BUFFERS) &&
         verify_buffers(verifier, column.buffers()) &&
         table.VerifyOffset(verifier, Fields::VT_CHILDREN) &&
         verify_columns(verifier, column.children()) && verifier.EndTable();
}

bool verify_columns(flatbuffers::Verifier& verifier, const Columns* columns) {
  if (columns == nullptr) return true;
  if (!verifier.VerifyVector(columns)) return false;
  for (uint32_t i = 0; i < columns->size(); ++i) {
    if (!verify_column(verifier, *columns->Get(i))) return false;
  }
  return true;
}

bool verify_frame(flatbuffers::Verifier& verifier, const jay_fbs::Frame& frame) {
  using Fields = jay_fbs::Frame;
  const flatbuffers::Table& table = table_of(&frame);
  return verify_start(verifier, table, kFrameFields) &&
         table.VerifyField<uint64_t>(verifier, Fields::VT_NROWS, 8) &&
         table.VerifyField<uint64_t>(verifier, Fields::VT_NCOLS, 8) &&
         table.VerifyField<int32_t>(verifier, Fields::VT_NKEYS, 4) &&
         table.VerifyOffset(verifier, Fields::VT_COLUMNS) &&
         verify_columns(verifier, frame.columns()) && verifier.EndTable();
}

// The number of bytes read at once at a file's end: the tail and usually the whole record.
constexpr uint64_t kEndBytes = 4096;

struct Tail {
  u64le meta_size;
  char padding[4];
  char signature[4];
};
static_assert(sizeof(Tail) == kTailBytes);

// Returns the length of the record, from the tail.
uint64_t check_tail(const ByteSource& bytes, const Tail& tail) {
  const std::string_view signature(tail.signature, sizeof tail.signature);
  if (!signature.ends_with("JAY") && signature != "JAY1") {
    fail(ErrorKind::Corrupt, bytes.name(), "signature at byte ", bytes.size() - 4,
         ": expected \"1JAY\" as the last bytes; the file is cut short or damaged");
  }
  const uint64_t most =
      std::min<uint64_t>(bytes.size() - kSmallestFile, FLATBUFFERS_MAX_BUFFER_SIZE - 1);
  const uint64_t meta_size = tail.meta_size;
  if (meta_size > most || meta_size < sizeof(flatbuffers::uoffset_t)) {
    fail(ErrorKind::Corrupt, bytes.name(), "meta_size at byte ", bytes.size() - kTailBytes,
         ": expected 4 to ", most, ", got ", meta_size);
  }
  return meta_size;
}

}  // namespace

Record::Record(const ByteSource& bytes, const Context& context) {
  if (bytes.size() < kSmallestFile) {
    fail(ErrorKind::Corrupt, bytes.name(), "expected at least ", kSmallestFile,
         " bytes, the smallest Jay file, got ", bytes.size());
  }
  alignas(kAlignment) std::byte end[kEndBytes];
  const uint64_t end_bytes = std::min(kEndBytes, bytes.size());
  bytes.read(bytes.size() - end_bytes, {end, end_bytes}, context);
  Tail tail;
  std::memcpy(&tail, end + end_bytes - kTailBytes, sizeof tail);
  bytes_ = check_tail(bytes, tail);
  offset_ = bytes.size() - kTailBytes - bytes_;

  const std::byte* record = bytes.base() == nullptr ? nullptr : bytes.base() + offset_;
  const bool at_hand = bytes_ + kTailBytes <= end_bytes;
  // A verified record must not change, so that it is copied if the source may.
  if (at_hand || record == nullptr || bytes.may_change() ||
      reinterpret_cast<uintptr_t>(record) % kAlignment != 0) {
    if (!at_hand) bytes.check_metadata_of(bytes_, "record", offset_);
    copy_.resize(bytes_ / sizeof(uint64_t) + 1);
    const std::span<std::byte> copy = std::as_writable_bytes(std::span(copy_)).first(bytes_);
    if (at_hand) {
      std::memcpy(copy.data(), end + end_bytes - kTailBytes - bytes_, bytes_);
    } else {
      bytes.read(offset_, copy, context);
    }
    record = copy.data();
  }
  const auto* start = reinterpret_cast<const uint8_t*>(record);
  flatbuffers::Verifier verifier(start, bytes_, limits(bytes_));
  const flatbuffers::uoffset_t root = verifier.VerifyOffset(0);
  frame_ = reinterpret_cast<const jay_fbs::Frame*>(start + root);
  if (root == 0 || !verify_frame(verifier, *frame_)) {
    fail(ErrorKind::Corrupt, bytes.name(), "record at byte ", offset_, " of ", bytes_,
         " bytes: expected a FlatBuffers frame, got tables or offsets that do not lie inside it, "
         "or tables whose sizes differ from those of their fields");
  }
}

}  // namespace heron::inline v0::jay
