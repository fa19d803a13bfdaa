// Decodes datetime64 and timedelta64: integers of 8 bytes that count units since 1970, or units;
// the minimum is NaT, which is null.
//
//   datetime64   days and weeks          date32
//                100 ns                  datetime
//                up to hours             timestamp[ns]
//   timedelta64  ns and up to weeks      duration
#pragma once

#include "npy/decoders.h"

namespace heron::inline v0::npy {

// Returns type Null if the unit has no fixed length, or one below a nanosecond. Values that the
// type cannot hold are Error(Limit) when they are read.
Decoding time_cells(const Element& element);

}  // namespace heron::inline v0::npy
