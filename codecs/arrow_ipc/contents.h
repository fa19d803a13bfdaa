// What a file contains: its schema, and where its batches are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow_ipc/fields.h"
#include "arrow_ipc/message.h"
#include "columns/runs.h"

namespace heron::inline v0::arrow_ipc {

// A dictionary batch.
struct DictionaryPart {
  Batch batch;
  bool has_nulls = false;
  bool is_delta = false;  // its values follow those of the part before; else they replace them
  // Applies to record batches from this one on.
  uint64_t first_batch = 0;
};

// Immutable once read.
struct Contents {
  bool is_stream = false;
  arrow_fbs::MetadataVersion version = arrow_fbs::MetadataVersion::V5;
  std::vector<uint64_t> schema_bytes;  // the metadata that `schema` is in
  const arrow_fbs::Schema* schema = nullptr;
  Fields fields;
  // Record batches in order; those without rows are left out.
  std::vector<Batch> batches;
  std::shared_ptr<const Runs> rows;  // run i: the rows of batch i
  // By node: whether any batch has a null there.
  std::vector<uint8_t> has_nulls;
  std::map<int64_t, std::vector<DictionaryPart>> dictionaries;
  // Counts of buffers of characters, of every field of views in every batch.
  std::vector<uint32_t> views;
};

// Reads the footer of a file, or all messages of a stream, and the metadata of every batch; no
// bodies. Throws Error: Corrupt, Unsupported, Limit.
Contents read_contents(const ByteSource& file, const Context& context);

// Returns whether the first bytes of a file of `file_bytes` can be a stream's.
bool is_like_stream(std::span<const std::byte> head, uint64_t file_bytes) noexcept;

}  // namespace heron::inline v0::arrow_ipc
