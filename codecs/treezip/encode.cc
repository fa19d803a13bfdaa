#include "treezip/encode.h"

#include <bit>
#include <cstring>

namespace heron::inline v0::treezip {

unsigned address_bits(uint64_t payload_bytes) noexcept {
  if (payload_bytes == 0) return 0;
  // Of the last byte's number, and 3 that choose the bit within a byte.
  return static_cast<unsigned>(std::bit_width(payload_bytes - 1)) + 3;
}

void encode_tree(const std::string& name, std::span<std::byte> payload, Shape shape,
                 TreeWriter& out, const Context& context) {
  if (payload.size() <= shape.feat_prev / 8) {
    out.leaf(false, false);  // the initial bits are the payload
  } else if (shape.feat_prev > 0 || shape.feat_addr < address_bits(payload.size())) {
    // Where addresses wrap, several samples have one, which only sample lists can say.
    encode_columns(name, payload, shape, out, context);
  } else {
    // An Arena's pieces are aligned for words, and have room behind for the last one.
    std::memset(payload.data() + payload.size(), 0, sizeof(uint64_t));
    encode_dense(reinterpret_cast<uint64_t*>(payload.data()), payload.size() * 8, shape.feat_addr,
                 out, context);
  }
}

}  // namespace heron::inline v0::treezip
