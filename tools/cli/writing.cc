#include "writing.h"

#include <algorithm>
#include <climits>

namespace heron::cli {

WriteOptions write_options(const Request& request) {
  WriteOptions options;
  if (request.byte_order == "big") options.order = std::endian::big;
  options.block_rows = request.block_rows.value_or(0);
  if (request.compression) {
    options.compression = static_cast<int>(std::min<uint64_t>(*request.compression, INT_MAX));
  }
  return options;
}

}  // namespace heron::cli
