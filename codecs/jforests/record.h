// A feature's record, taken apart: what stands where, checked against the size that the header
// gives. Nothing of its indices and values is read.
#pragma once

#include <string>

#include "bytes/byte_source.h"
#include "jforests/layout.h"
#include "jforests/scaling.h"

namespace heron::inline v0::jforests {

// What the header says of a record. It may be anything: the bytes need not be in the file.
struct Claim {
  const ByteSource* source = nullptr;
  uint64_t number = 0;  // of the feature, from 1
  uint64_t rows = 0;
  uint8_t type = 0;
  uint64_t type_offset = 0;
  uint64_t offset = 0;  // of the record
  uint64_t bytes = 0;

  bool has_known_type() const noexcept { return type <= kLastType; }
};

struct Record {
  std::string fault;  // why it cannot be taken apart; empty: it can, and what follows holds
  ByteView name;      // empty if it is not found; of a record with spare bytes it is
  ByteView indices;
  ByteView values;
  ByteView scale;  // kScaleBytes

  uint64_t value_count() const noexcept { return values.bytes / kValueBytes; }
  // Whether the indices are INT ones that were written over each other. Only of type INT.
  bool is_overwritten(uint64_t rows) const noexcept { return indices.bytes == 2 * rows; }
};

// Reads k and L. INT indices take 2 bytes a row, or 4 if only then the record adds up. Throws
// Error: Io, Changed; never Corrupt.
Record take_apart(const Claim& claim, const Context& context);

// As UTF-8; empty for what stands for a feature without a name.
std::string name_of(const Record& record, const Context& context);

Scale scale_of(const Record& record, const Context& context);

}  // namespace heron::inline v0::jforests
