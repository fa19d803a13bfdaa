// Where the numbers of a format lie in a file: offsets, sizes, counts, which a fuzzer mutates as
// numbers, since single bytes of them seldom become the values that matter.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace heron::inline v0 {

// Numbers at equal distances.
struct NumberRun {
  enum class Kind : uint8_t {
    Integer,
    Decimal,  // one number of `count` ASCII digits
    Bits      // `count` bytes of a stream of bits, the lowest bit first
  };
  size_t offset = 0;
  size_t count = 0;
  uint8_t width = 4;  // bytes of an integer
  uint8_t step = 4;   // bytes from an integer to the next
  std::endian order = std::endian::little;
  Kind kind = Kind::Integer;
};

// Returns the runs of numbers of a file that may be damaged: as many as its bytes still tell, each
// inside of `bytes`. Empty for formats without a table of numbers.
std::vector<NumberRun> number_runs(std::string_view format, std::span<const std::byte> bytes);

// Changes one to three numbers of the runs in the first `size` bytes of `buffer`: to limits of
// their width, to the file's size and what it leaves, to each other, by a little; copies and swaps
// numbers of a run, shifts bits. Returns the new size, which differs only if a decimal number gets
// another length. Without runs, nothing changes.
size_t mutate_numbers(std::span<std::byte> buffer, size_t size, std::span<const NumberRun> runs,
                      std::mt19937_64& random);

}  // namespace heron::inline v0
