#include "treezip/write/encode.h"

#include <bit>
#include <cstring>

namespace heron::inline v0::treezip {

unsigned address_bits(uint64_t payload_bytes) noexcept {
  if (payload_bytes == 0) return 0;
  // An address has the bits of the last byte's number, and 3 for the bit within a byte.
  return static_cast<unsigned>(std::bit_width(payload_bytes - 1)) + 3;
}

void encode_tree(const std::string& name, std::span<std::byte> payload, Shape shape,
                 TreeWriter& out, const Context& context) {
  if (payload.size() <= shape.feat_prev / 8) {
    out.leaf(false, false);  // the initial bits are the whole payload
  } else if (shape.feat_prev > 0 || shape.feat_addr < address_bits(payload.size())) {
    // If addresses wrap, several samples share one, which only sample lists support.
    encode_columns(name, payload, shape, out, context);
  } else {
    // Arena allocations are aligned for words, and have slack for the last one.
    std::memset(payload.data() + payload.size(), 0, sizeof(uint64_t));
    encode_dense(reinterpret_cast<uint64_t*>(payload.data()), payload.size() * 8, shape.feat_addr,
                 out, context);
  }
}

}  // namespace heron::inline v0::treezip
