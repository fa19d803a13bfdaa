// Arrow arrays as another program would make them, with contents from a test; and batches to
// export.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/structs.h"
#include "convert/made_values.h"
#include "kit/exact_value.h"

namespace heron::inline v0 {

using ArrowBytes = std::vector<std::byte>;

template <class T>
ArrowBytes bytes_of(const std::vector<T>& cells) {
  ArrowBytes bytes(cells.size() * sizeof(T));
  if (!cells.empty()) std::memcpy(bytes.data(), cells.data(), bytes.size());
  return bytes;
}
inline ArrowBytes bytes_of(std::string_view text) {
  return bytes_of(std::vector<char>(text.begin(), text.end()));
}
// Returns the bits of digits '0' and '1', of which the first is bit 0.
inline ArrowBytes bits_of(std::string_view digits) {
  ArrowBytes bits(bitmap_bytes(digits.size()));
  for (size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] == '1') bits[i / 8] |= std::byte{1} << (i % 8);
  }
  return bits;
}

// An array and its schema. An empty buffer is a null pointer.
struct MadeArray {
  std::string format;
  uint64_t length = 0;
  std::vector<ArrowBytes> buffers = {};
  std::vector<MadeArray> children = {};
  std::vector<MadeArray> dictionary = {};  // one array or none
  uint64_t offset = 0;
  std::string name = {};
  arrow::Entries metadata = {};
  int64_t null_count = -1;

  arrow::Owned<ArrowSchema> schema() const {
    arrow::SchemaParts parts;
    parts.format = format;
    parts.name = name;
    parts.metadata = metadata;
    for (const MadeArray& child : children) parts.children.push_back(child.schema());
    if (!dictionary.empty()) parts.dictionary = dictionary[0].schema();
    return make_schema(std::move(parts));
  }
  // `released` counts the arrays of the tree that were released.
  arrow::Owned<ArrowArray> array(int* released = nullptr) const {
    arrow::ArrayParts parts;
    parts.length = length;
    parts.offset = offset;
    const std::shared_ptr<std::vector<ArrowBytes>> kept(
        new std::vector<ArrowBytes>(buffers), [released](std::vector<ArrowBytes>* bytes) {
          for (ArrowBytes& buffer : *bytes)
            std::fill(buffer.begin(), buffer.end(), std::byte{0xAA});
          delete bytes;
          if (released != nullptr) ++*released;
        });
    for (const ArrowBytes& buffer : *kept) {
      parts.buffers.push_back(buffer.empty() ? nullptr : buffer.data());
    }
    parts.memory = kept;
    for (const MadeArray& child : children) parts.children.push_back(child.array(released));
    if (!dictionary.empty()) parts.dictionary = dictionary[0].array(released);
    arrow::Owned<ArrowArray> made = make_array(std::move(parts));
    made->null_count = buffers.empty() ? static_cast<int64_t>(length) : null_count;
    return made;
  }
};

// Returns a struct whose children are the columns.
inline MadeArray struct_of(std::vector<MadeArray> columns) {
  MadeArray all{"+s", columns.empty() ? 0 : columns[0].length, {{}}, std::move(columns)};
  all.null_count = 0;
  return all;
}

inline RowBatch imported(const MadeArray& made, int* released = nullptr) {
  arrow::Owned<ArrowSchema> schema = made.schema();
  arrow::Owned<ArrowArray> array = made.array(released);
  return import_batch(*schema, array.get());
}

// Returns the values of a column in words, "null" for nulls.
inline std::vector<std::string> words_of(const Values& values) {
  std::vector<std::string> all;
  for (uint64_t row = 0; row < values.rows; ++row) all.push_back(words(exact_value(values, row)));
  return all;
}

// A batch of values made in a test; owns the values.
inline RowBatch batch_of(const std::shared_ptr<MadeValues>& made, std::vector<Values> columns) {
  RowBatch batch;
  auto schema = std::make_shared<Schema>();
  for (Values& values : columns) {
    Field field;
    field.name = "c" + std::to_string(schema->size());
    field.type = values.type;
    field.nullable = values.null_count != 0;
    schema->push_back(field);
    batch.rows = values.rows;
    batch.columns.push_back(std::move(values));
  }
  batch.schema = schema;
  batch.memory = std::shared_ptr<Arena>(made, &made->arena);
  return batch;
}

// Exports and imports a batch.
inline RowBatch through_arrow(const RowBatch& batch, const ArrowOptions& options = {}) {
  arrow::Owned<ArrowSchema> schema;
  arrow::Owned<ArrowArray> array;
  export_batch(batch, schema.get(), array.get(), options);
  return import_batch(*schema, array.get());
}

}  // namespace heron::inline v0
