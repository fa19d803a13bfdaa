// How files mark nulls.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

// How a stored cell marks null.
enum class NullEncoding : uint8_t {
  Never,
  Sentinel,     // the minimum of the signed integer
  Zero,         // the unsigned integer is 0
  NaN,          // any NaN
  Bitmap,       // the row's bit in the bitmap is clear
  BitmapOrNaN,  // a clear bit or any NaN
  OffsetBit,    // texts: the top bit of the end offset
};

}  // namespace heron::inline v0
