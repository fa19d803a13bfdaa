// How many bytes of text there will be, for writers: they then give each column of texts its place
// in the file before the first row comes.
#pragma once

#include <cstdint>
#include <vector>

namespace heron::inline v0 {

constexpr uint64_t kUnknownTextBytes = UINT64_MAX;

// A base, besides RowSource, of sources that know it.
class KnowsTextBytes {
 public:
  // Returns the bytes of all texts of each column of texts without nulls, kUnknownTextBytes for
  // other columns. The source's own claims: rows that are read may have others.
  virtual std::vector<uint64_t> text_bytes() const = 0;

 protected:
  ~KnowsTextBytes() = default;
};

}  // namespace heron::inline v0
