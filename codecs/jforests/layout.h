// The bytes of a jforests file (FORMAT section 2), with F features, N rows and Q queries. All
// numbers are big-endian, nothing is aligned.
//
//   0         version, F, N               i32 each
//   12        the features' sizes         F x i32: bytes of the whole record
//   12 + 4F   the features' types         F x u8
//   12 + 5F   Q                           i32; ranking files only
//             targets                     N x f64
//             the features' records       back to back
//             query boundaries            (Q + 1) x i32; ranking files only
//
// A record:
//   0         indices                     X bytes: NULL 0, BIT ceil(N / 8), BYTE N, SHORT 2N, INT
//   2N X         k, the number of values     i32
//             values                      k x i32, ascending
//             L, the name's length        i16
//             name                        L x u8: Latin-1
//             min, max, factor            f64 each
//             log                         u8: 1, else linear
//
// INT indices are written in full, but each two bytes behind the previous one: the lower half is
// overwritten by the next index, that of the last index by the upper half of k (FORMAT section 6).
#pragma once

#include <cstdint>
#include <string_view>

namespace heron::inline v0::jforests {

inline constexpr int32_t kVersion = 3;
inline constexpr uint64_t kVersionBytes = 4;
inline constexpr uint64_t kCountsBytes = 12;  // version, F, N
inline constexpr uint64_t kSizeBytes = 4;
inline constexpr uint64_t kTypeBytes = 1;
inline constexpr uint64_t kQueriesBytes = 4;
inline constexpr uint64_t kTargetBytes = 8;
inline constexpr uint64_t kBoundaryBytes = 4;

enum class FeatureType : uint8_t { Null, Bit, Byte, Short, Int };
inline constexpr uint8_t kLastType = 4;

// Returns X, above; for INT the number that the reference writes.
constexpr uint64_t index_bytes(FeatureType type, uint64_t rows) {
  switch (type) {
    case FeatureType::Null: return 0;
    case FeatureType::Bit: return rows / 8 + (rows % 8 != 0);
    case FeatureType::Byte: return rows;
    default: return 2 * rows;
  }
}

inline constexpr uint64_t kValueBytes = 4;
inline constexpr uint64_t kScaleBytes = 25;  // bytes of min, max, factor, log
// The bytes of a record without indices, values and name, and of the smallest valid one, which has
// one value.
inline constexpr uint64_t kEmptyRecordBytes = 4 + 2 + kScaleBytes;
inline constexpr uint64_t kSmallestRecordBytes = kEmptyRecordBytes + kValueBytes;

// Limits of the reference program when it writes: the length of a name, the values of each type,
// and the name of a feature without one.
inline constexpr uint64_t kMaxNameBytes = 127;
inline constexpr uint64_t kMaxBitValues = 2;
inline constexpr uint64_t kMaxByteValues = 127;
inline constexpr uint64_t kMaxShortValues = 32767;
inline constexpr std::string_view kNoName = "null";

}  // namespace heron::inline v0::jforests
