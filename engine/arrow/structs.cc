#include "arrow/structs.h"

#include <cstring>
#include <limits>

#include "base/fail.h"

namespace heron::inline v0::arrow {
namespace {

void append_int32(std::string& out, uint64_t value) {
  if (value > static_cast<uint64_t>(std::numeric_limits<int32_t>::max())) {
    fail(ErrorKind::Limit, {}, "metadata for Arrow of ", value, " bytes or entries; at most ",
         std::numeric_limits<int32_t>::max(), " can be");
  }
  const auto number = static_cast<int32_t>(value);
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Reads metadata. The interface does not give its size, so a wrong length is detected only if it is
// negative, or more than all metadata may have.
class MetadataReader {
 public:
  explicit MetadataReader(const char* from) : from_(from) {}

  uint32_t take_length() {
    int32_t length;
    std::memcpy(&length, from_, sizeof length);
    if (length < 0 || static_cast<uint32_t>(length) > left_) {
      fail(ErrorKind::Argument, {}, "Arrow metadata: expected a length of 0 to ", left_, ", got ",
           length);
    }
    from_ += sizeof length;
    return static_cast<uint32_t>(length);
  }
  std::string take_text() {
    const uint32_t length = take_length();
    std::string text(from_, length);
    from_ += length;
    left_ -= length;
    return text;
  }

 private:
  const char* from_;
  uint32_t left_ = kMaxMetadataBytes;
};

// The common part of both structs: children and a dictionary, each of which may be moved out.
template <class Struct>
struct Descendants {
  std::vector<Owned<Struct>> owned;
  std::vector<Struct*> children;
  std::optional<Owned<Struct>> dictionary;

  void point_to(Struct& parent) {
    children.reserve(owned.size());
    for (Owned<Struct>& child : owned) children.push_back(child.get());
    parent.n_children = static_cast<int64_t>(children.size());
    parent.children = children.empty() ? nullptr : children.data();
    parent.dictionary = dictionary ? dictionary->get() : nullptr;
  }
};

struct SchemaBehind {
  std::string format, name, metadata;
  Descendants<ArrowSchema> descendants;
};

struct ArrayBehind {
  std::vector<const void*> buffers;
  Descendants<ArrowArray> descendants;
  std::shared_ptr<const void> memory;
};

// Does nothing for a struct that is already released.
template <class Struct, class Behind>
void release(Struct* released) noexcept {
  if (released == nullptr || released->release == nullptr) return;
  delete static_cast<Behind*>(released->private_data);
  released->private_data = nullptr;
  released->release = nullptr;
}

}  // namespace

std::string encode_metadata(const Entries& entries) {
  std::string out;
  if (entries.empty()) return out;
  append_int32(out, entries.size());
  for (const auto& [name, text] : entries) {
    append_int32(out, name.size());
    out += name;
    append_int32(out, text.size());
    out += text;
  }
  return out;
}

Entries decode_metadata(const char* metadata) {
  Entries entries;
  if (metadata == nullptr) return entries;
  MetadataReader reader(metadata);
  for (uint32_t left = reader.take_length(); left != 0; --left) {
    std::string name = reader.take_text();
    entries.emplace_back(std::move(name), reader.take_text());
  }
  return entries;
}

Owned<ArrowSchema> make_schema(SchemaParts parts) {
  auto behind = std::make_unique<SchemaBehind>();
  behind->format = std::move(parts.format);
  behind->name = std::move(parts.name);
  behind->metadata = encode_metadata(parts.metadata);
  behind->descendants.owned = std::move(parts.children);
  behind->descendants.dictionary = std::move(parts.dictionary);

  Owned<ArrowSchema> schema;
  behind->descendants.point_to(*schema.get());
  schema->format = behind->format.c_str();
  schema->name = behind->name.c_str();
  schema->metadata = behind->metadata.empty() ? nullptr : behind->metadata.data();
  // A dictionary has the values of keys, which are in the order of the keys.
  schema->flags = (parts.nullable ? ARROW_FLAG_NULLABLE : 0) |
                  (behind->descendants.dictionary ? ARROW_FLAG_DICTIONARY_ORDERED : 0);
  schema->release = release<ArrowSchema, SchemaBehind>;
  schema->private_data = behind.release();
  return schema;
}

Owned<ArrowArray> make_array(ArrayParts parts) {
  auto behind = std::make_unique<ArrayBehind>();
  behind->buffers = std::move(parts.buffers);
  behind->descendants.owned = std::move(parts.children);
  behind->descendants.dictionary = std::move(parts.dictionary);
  behind->memory = std::move(parts.memory);

  Owned<ArrowArray> array;
  behind->descendants.point_to(*array.get());
  array->length = static_cast<int64_t>(parts.length);
  array->null_count = static_cast<int64_t>(parts.null_count);
  array->offset = static_cast<int64_t>(parts.offset);
  array->n_buffers = static_cast<int64_t>(behind->buffers.size());
  array->buffers = behind->buffers.empty() ? nullptr : behind->buffers.data();
  array->release = release<ArrowArray, ArrayBehind>;
  array->private_data = behind.release();
  return array;
}

}  // namespace heron::inline v0::arrow
