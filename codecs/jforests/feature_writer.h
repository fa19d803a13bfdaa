// Writes feature records. Reads a feature's values twice: for its dictionary, which decides its
// type, and for the rows' indices and the loss.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bytes/appender.h"
#include "heron/context.h"
#include "jforests/code_table.h"
#include "jforests/loss.h"
#include "jforests/scaling.h"
#include "jforests/spill.h"

namespace heron::inline v0::jforests {

// A record to write, whose values are a column of the spill.
struct Feature {
  uint64_t column = 0;
  uint64_t rows = 0;
  Scale scale;
  std::string name;  // the name as stored
};

struct WrittenRecord {
  FeatureType type;
  uint64_t bytes;
  Loss loss;
};

class FeatureWriter {
 public:
  // A record may have at most `most_bytes`. The arguments must outlive the writer.
  FeatureWriter(Spill& spill, Appender& out, uint64_t most_bytes, const Context& context)
      : spill_(spill), out_(out), most_bytes_(most_bytes), context_(context) {}

  // Writes a record. Throws Error: Limit, with nothing of the record written and a text that begins
  // with `label`; Io; Cancelled.
  WrittenRecord write(const Feature& feature, std::string_view path, std::string_view label);

 private:
  void collect_values(const Feature& feature);
  Loss append_indices(FeatureType type, const Feature& feature);
  template <class Cell, class Code>
  void append_cells(uint64_t rows, Code code);
  template <class Code>
  void append_bits(uint64_t rows, Code code);

  Spill& spill_;
  Appender& out_;
  const uint64_t most_bytes_;
  const Context& context_;
  CodeTable codes_;
  std::vector<double> originals_;  // values as read back from the codes
  std::vector<std::byte> packed_;  // indices of one piece, as stored
};

}  // namespace heron::inline v0::jforests
