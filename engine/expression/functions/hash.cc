// hash(): XXH3 with seed 0, 64 bits, of a row's values one behind the other, each as a byte that
// says what it is and its content, numbers in little-endian order:
//
//   0  null
//   1  an integer, date, time or key of 64 bits     8 bytes
//   2  an integer that int64 does not hold         16 bytes
//   3  a float, as float64                          8 bytes; all NaNs are 7FF8000000000000,
//                                                   -0.0 is 0.0
//   4  a text                                       8 bytes, its length, and its bytes
//   5  a bool                                       1 byte, 0 or 1
//   6  a row id                                    16 bytes
//
// Therefore equal values of different integer types have one hash, and so have float32 and float64.
#include <xxhash.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "bytes/on_disk.h"
#include "expression/functions/function.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kNaNBits = 0x7FF8000000000000;

void append_tagged(std::string& to, char tag, uint64_t content) {
  const u64le bytes(content);
  char both[1 + sizeof bytes] = {tag};
  std::memcpy(both + 1, &bytes, sizeof bytes);
  to.append(both, sizeof both);
}

void append_tagged(std::string& to, char tag, UInt128 content) {
  append_tagged(to, tag, static_cast<uint64_t>(content));
  const u64le high(static_cast<uint64_t>(content >> 64));
  to.append(reinterpret_cast<const char*>(&high), sizeof high);
}

void append_value(std::string& to, const Vector& values, uint64_t row) {
  switch (values.kind) {
    case ValueKind::Bool:
      to += '\5';
      to += static_cast<char>(values.as<uint64_t>()[row / 64] >> row % 64 & 1);
      return;
    case ValueKind::Integer:
      return append_tagged(to, '\1', static_cast<uint64_t>(values.as<int64_t>()[row]));
    case ValueKind::Wide: {
      const Int128 value = values.as<Int128>()[row];
      const bool is_small = value >= std::numeric_limits<int64_t>::min() &&
                            value <= std::numeric_limits<int64_t>::max();
      return is_small ? append_tagged(to, '\1', static_cast<uint64_t>(value))
                      : append_tagged(to, '\2', static_cast<UInt128>(value));
    }
    case ValueKind::Float: {
      const double value = values.as<double>()[row];
      const uint64_t bits = value != value ? kNaNBits : std::bit_cast<uint64_t>(value);
      return append_tagged(to, '\3', value == 0 ? uint64_t{0} : bits);
    }
    case ValueKind::Text: {
      const auto text = values.as<std::string_view>()[row];
      append_tagged(to, '\4', uint64_t{text.size()});
      to += text;
      return;
    }
    case ValueKind::RowId: return append_tagged(to, '\6', values.as<UInt128>()[row]);
    case ValueKind::List: return;
  }
}

void hash_kernel(const KernelCall& call) {
  auto* to = call.result<Int128>();
  std::string content;
  call.each([&](uint64_t i) {
    content.clear();
    for (const Vector& one : call.arguments) {
      if ((one.valid[i / 64] >> i % 64 & 1) != 0)
        append_value(content, one, i);
      else
        content += '\0';
    }
    to[i] = XXH3_64bits(content.data(), content.size());
  });
}

using P = Parameter;
constexpr Function kHashFunctions[] = {
    {"hash",
     "value, ...",
     {P::Any, P::Any, P::Any, P::Any},
     1,
     Function::kAnyNumber,
     Result::UInt64,
     hash_kernel,
     "64 bits of the values, the same in every run and on every machine; of null, too",
     true},
};

}  // namespace

std::span<const Function> hash_functions() {
  return kHashFunctions;
}

}  // namespace heron::inline v0
