// The parts of a feature's record, checked against the size in the header. Does not read indices or
// values.
#pragma once

#include <string>

#include "bytes/byte_source.h"
#include "jforests/layout.h"
#include "jforests/scaling.h"

namespace heron::inline v0::jforests {

// The header's claims about a record, unchecked: the bytes may be outside the file.
struct Claim {
  const ByteSource* source = nullptr;
  uint64_t number = 0;  // number of the feature, from 1
  uint64_t rows = 0;
  uint8_t type = 0;
  uint64_t type_offset = 0;
  uint64_t offset = 0;  // offset of the record
  uint64_t bytes = 0;

  bool has_known_type() const noexcept { return type <= kLastType; }
};

struct Record {
  std::string fault;  // why it cannot be parsed; empty: the members below are valid
  ByteView name;      // empty if not found; it may precede spare bytes
  ByteView indices;
  ByteView values;
  ByteView scale;  // kScaleBytes long

  uint64_t value_count() const noexcept { return values.bytes / kValueBytes; }
  // Returns whether the indices are INT indices that overwrite each other. Call it only for type
  // INT.
  bool is_overwritten(uint64_t rows) const noexcept { return indices.bytes == 2 * rows; }
};

// Finds the parts of a record. Reads k and L. INT indices take 2 bytes a row, or 4 if only then the
// sizes agree. Throws Error: Io, Changed; never Corrupt.
Record take_apart(const Claim& claim, const Context& context);

// Returns the name in UTF-8; empty for the stand-in name of a feature without one.
std::string name_of(const Record& record, const Context& context);

Scale scale_of(const Record& record, const Context& context);

}  // namespace heron::inline v0::jforests
