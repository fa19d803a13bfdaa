// Reports the bytes of text to writers, which then reserve the range of each text column in the
// file before the first row.
#pragma once

#include <cstdint>
#include <vector>

namespace heron::inline v0 {

constexpr uint64_t kUnknownTextBytes = UINT64_MAX;

// A base, besides RowSource, of sources that know their bytes of text.
class KnowsTextBytes {
 public:
  // Returns the bytes of all texts of each column of texts without nulls, kUnknownTextBytes for
  // other columns. These are the source's own claims: the rows that are read may have more or fewer
  // bytes.
  virtual std::vector<uint64_t> text_bytes() const = 0;

 protected:
  ~KnowsTextBytes() = default;
};

}  // namespace heron::inline v0
