#include <algorithm>
#include <cstring>
#include <string>

#include "kit/number_runs.h"

namespace heron::inline v0 {
namespace {

// Changes numbers in a buffer of a file; neighbours may be the factors of a size.
class Mutation {
 public:
  Mutation(std::span<std::byte> buffer, size_t size, std::span<const NumberRun> runs,
           std::mt19937_64& random)
      : buffer_(buffer), size_(size), runs_(runs), random_(random) {}

  size_t size() const { return size_; }

  // Changes a number; a change of the size moves what lies after it, so that it must be the last.
  bool change_one() {
    const size_t index = below(runs_.size());
    const NumberRun& run = runs_[index];
    const NumberRun& next = runs_[std::min(index + 1 + below(3), runs_.size() - 1)];
    using Kind = NumberRun::Kind;
    if (run.kind == Kind::Integer && next.kind == Kind::Integer && below(8) == 0) {
      change_pair(run, next);
      return true;
    }
    switch (run.kind) {
      case NumberRun::Kind::Integer: change_integer(run); return true;
      case NumberRun::Kind::Bits: shift_bits(run); return true;
      case NumberRun::Kind::Decimal: break;
    }
    change_decimal(run);
    return false;
  }

 private:
  size_t below(size_t limit) { return static_cast<size_t>(random_() % limit); }

  std::byte* cell(const NumberRun& run, size_t index) {
    return buffer_.data() + run.offset + index * run.step;
  }
  uint64_t load(const NumberRun& run, size_t index) {
    uint64_t number = 0;
    for (uint8_t i = 0; i < run.width; ++i) {
      const uint8_t byte = run.order == std::endian::little ? run.width - 1 - i : i;
      number = number << 8 | std::to_integer<uint64_t>(cell(run, index)[byte]);
    }
    return number;
  }
  void store(const NumberRun& run, size_t index, uint64_t number) {
    for (uint8_t i = 0; i < run.width; ++i, number >>= 8) {
      const uint8_t byte = run.order == std::endian::little ? i : run.width - 1 - i;
      cell(run, index)[byte] = static_cast<std::byte>(number);
    }
  }

  // Returns a number that checks compare with: a limit, a size, a power of two whose product with
  // the width of a cell is 2^64.
  uint64_t edge(uint64_t offset) {
    const uint64_t near = below(5) - uint64_t{2};
    switch (below(8)) {
      case 0: return near;
      case 1: return size_ + near;
      case 2: return size_ - std::min<uint64_t>(size_, offset) + near;
      case 3: return uint64_t{INT32_MAX} + near;
      case 4: return uint64_t{INT64_MAX} + near;
      case 5: return (uint64_t{1} << below(64)) + near;
      case 6: return (uint64_t{1} << below(16)) + near;
      default: return random_() >> below(64);
    }
  }

  // Sets two numbers so that their product, times the width of a cell, is 2^32 or 2^64.
  void change_pair(const NumberRun& one, const NumberRun& other) {
    const size_t bits = below(2) == 0 ? 64 : 32, cell_bits = below(5);
    const size_t half = (bits - cell_bits) / 2, first = half + below(3) - (half > 1 ? 1 : 0);
    store(one, below(one.count), uint64_t{1} << first % 64);
    store(other, below(other.count), uint64_t{1} << (bits - cell_bits - first) % 64);
  }

  void change_integer(const NumberRun& run) {
    const size_t index = below(run.count), other = below(run.count);
    const uint64_t number = load(run, index);
    switch (below(8)) {
      case 0:
      case 1:
      case 2: store(run, index, edge(run.offset)); break;
      case 3: store(run, index, number + below(33) - 16); break;
      case 4: store(run, index, number ^ uint64_t{1} << below(run.width * size_t{8})); break;
      case 5: {
        const NumberRun& from = runs_[below(runs_.size())];
        if (from.kind == NumberRun::Kind::Integer)
          store(run, index, load(from, below(from.count)) + below(3) - 1);
        break;
      }
      case 6:  // swaps two numbers
        store(run, index, load(run, other));
        store(run, other, number);
        break;
      default: {  // copies neighbours, as structs of a vector
        const size_t most = run.count - std::max(index, other);
        const size_t count = 1 + below(std::min<size_t>(most, 8));
        std::memmove(cell(run, index), cell(run, other), (count - 1) * run.step + run.width);
      }
    }
  }

  bool bit(const NumberRun& run, size_t index) {
    return std::to_integer<unsigned>(buffer_[run.offset + index / 8]) >> index % 8 & 1;
  }
  void set_bit(const NumberRun& run, size_t index, bool to) {
    std::byte& byte = buffer_[run.offset + index / 8];
    const std::byte mask = std::byte{1} << index % 8;
    byte = to ? byte | mask : byte & ~mask;
  }
  // Inserts or removes a bit, or copies a range of bits, as subtrees of a tree are.
  void shift_bits(const NumberRun& run) {
    const size_t bits = run.count * 8, index = below(bits);
    switch (below(4)) {
      case 0: set_bit(run, index, !bit(run, index)); break;
      case 1:
        for (size_t i = bits - 1; i > index; --i) set_bit(run, i, bit(run, i - 1));
        break;
      case 2:
        for (size_t i = index; i + 1 < bits; ++i) set_bit(run, i, bit(run, i + 1));
        break;
      default: {
        const size_t from = below(bits), count = below(bits - std::max(from, index));
        for (size_t i = 0; i < count; ++i) set_bit(run, index + i, bit(run, from + i));
      }
    }
  }

  void change_decimal(const NumberRun& run) {
    const std::string_view old(reinterpret_cast<const char*>(buffer_.data()) + run.offset,
                               run.count);
    uint64_t number = 0;
    for (const char digit : old) number = number * 10 + static_cast<uint64_t>(digit - '0');
    const std::string changed =
        std::to_string(below(3) == 0 ? number + below(9) - 4 : edge(run.offset));
    if (size_ - run.count + changed.size() > buffer_.size()) return;
    const size_t end = run.offset + run.count;
    std::memmove(buffer_.data() + run.offset + changed.size(), buffer_.data() + end, size_ - end);
    std::memcpy(buffer_.data() + run.offset, changed.data(), changed.size());
    size_ += changed.size() - run.count;
  }

  std::span<std::byte> buffer_;
  size_t size_;
  std::span<const NumberRun> runs_;
  std::mt19937_64& random_;
};

}  // namespace

size_t mutate_numbers(std::span<std::byte> buffer, size_t size, std::span<const NumberRun> runs,
                      std::mt19937_64& random) {
  if (runs.empty()) return size;
  Mutation mutation(buffer, size, runs, random);
  for (size_t left = 1 + random() % 3; left != 0 && mutation.change_one(); --left) {
  }
  return mutation.size();
}

}  // namespace heron::inline v0
