#include "idv/packed.h"

#include <algorithm>

namespace heron::inline v0::idv {

std::span<const std::byte> PackedReader::next(uint64_t count, std::string_view what) {
  if (count > left()) {
    fail_here(ErrorKind::Corrupt, what, "expected ", count, " bytes before byte ", end_, ", got ",
              left());
  }
  if (count > bytes_.size() - position_) fetch(position_ + count);
  const auto bytes = bytes_.subspan(position_, count);
  position_ += count;
  return bytes;
}

void PackedReader::fetch(uint64_t bytes) {
  constexpr uint64_t kFirstPiece = 4096;
  const uint64_t valid = own_.size();
  const uint64_t target = std::min(std::max({bytes, 2 * valid, kFirstPiece}), end_ - start_);
  file_.check_metadata_of(target, part_, start_);
  own_.resize(target);
  file_.read(start_ + valid, std::span(own_).subspan(valid), *context_);
  bytes_ = own_;
}

uint64_t PackedReader::leb128(int most_bytes, uint8_t last, std::string_view what) {
  uint64_t value = 0;
  for (int i = 0; i < most_bytes; ++i) {
    const uint8_t part = byte(what);
    if (i == most_bytes - 1 && part > last) break;
    value |= uint64_t{part & 0x7Fu} << (7 * i);
    if (part < 0x80) return value;
  }
  fail_here(ErrorKind::Corrupt, what, "expected a number that ends here, ", most_bytes,
            " bytes behind its start, and is not larger than that");
}

std::string_view PackedReader::text(std::string_view what) {
  const uint64_t length = leb128(5, 7, what);
  const auto characters = next(length, what);
  return {reinterpret_cast<const char*>(characters.data()), characters.size()};
}

}  // namespace heron::inline v0::idv
