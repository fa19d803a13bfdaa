// Numbers as files store them: types with a byte order and alignment 1, for the structs that a
// layout.h overlays on bytes. They convert to and from the plain number.
#pragma once

#include <boost/endian/arithmetic.hpp>
#include <cstddef>
#include <cstring>

namespace heron::inline v0 {

using i16le = boost::endian::little_int16_t;
using i32le = boost::endian::little_int32_t;
using i64le = boost::endian::little_int64_t;
using u16le = boost::endian::little_uint16_t;
using u32le = boost::endian::little_uint32_t;
using u64le = boost::endian::little_uint64_t;
using f32le = boost::endian::little_float32_t;
using f64le = boost::endian::little_float64_t;

using i16be = boost::endian::big_int16_t;
using i32be = boost::endian::big_int32_t;
using i64be = boost::endian::big_int64_t;
using u16be = boost::endian::big_uint16_t;
using u32be = boost::endian::big_uint32_t;
using u64be = boost::endian::big_uint64_t;
using f32be = boost::endian::big_float32_t;
using f64be = boost::endian::big_float64_t;

// The number stored as Stored (one of the above) at any address: load<u64le>(bytes + 8).
template <class Stored>
typename Stored::value_type load(const std::byte* at) noexcept {
  static_assert(alignof(Stored) == 1);
  Stored stored;
  std::memcpy(&stored, at, sizeof stored);
  return stored.value();
}

}  // namespace heron::inline v0
