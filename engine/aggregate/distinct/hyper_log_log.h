// Estimates the number of distinct values in 16 KiB: HyperLogLog with 2^14 registers (Flajolet et
// al.) and Ertl's improved estimator, which needs no tables and no ranges ("New cardinality
// estimation algorithms for HyperLogLog sketches", 2017). Few values are stored as a list of
// registers; merged sketches of parts equal the sketch of the whole, bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "aggregate/state_bytes.h"

namespace heron::inline v0 {

// Spreads the bits of a number over all bits (the finalizer of SplitMix64).
inline uint64_t spread_bits(uint64_t bits) noexcept {
  bits += 0x9E3779B97F4A7C15u;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  return bits ^ bits >> 31;
}

// A sketch of distinct values. One thread at a time.
class HyperLogLog {
 public:
  static constexpr int kIndexBits = 14;
  static constexpr uint64_t kRegisters = uint64_t{1} << kIndexBits;

  // Adds a hash, all of whose bits must be equally good.
  void add(uint64_t hash) {
    if (registers_.empty()) return add_listed(index_of(hash), rank_of(hash));
    raise(registers_.data(), hash);
  }

  // Adds many hashes faster. Create it for one loop, during which nothing else may add.
  class Adder {
   public:
    explicit Adder(HyperLogLog& sketch) noexcept
        : sketch_(sketch), registers_(sketch.registers_.data()) {}
    void add(uint64_t hash) {
      if (registers_ != nullptr) return raise(registers_, hash);
      sketch_.add(hash);
      registers_ = sketch_.registers_.data();
    }

   private:
    HyperLogLog& sketch_;
    uint8_t* registers_;  // null: no registers yet
  };

  void merge(const HyperLogLog& other);
  void save(StateWriter& to) const;
  void load(StateReader& from);

  // The estimate, rounded; 0 without values. It is the same for the same values in any order.
  uint64_t estimate() const;
  uint64_t bytes() const noexcept {
    return listed_.capacity() * sizeof(uint32_t) + registers_.capacity();
  }

 private:
  static constexpr int kMaxRank = 64 - kIndexBits + 1;
  static constexpr uint64_t kMaxListed = 2048;  // half of the registers' memory

  static uint32_t index_of(uint64_t hash) noexcept {
    return static_cast<uint32_t>(hash >> (64 - kIndexBits));
  }
  // The bit that is set after the hash limits the rank.
  static uint8_t rank_of(uint64_t hash) noexcept {
    const uint64_t rest = hash << kIndexBits | uint64_t{1} << (kIndexBits - 1);
    return static_cast<uint8_t>(__builtin_clzll(rest) + 1);
  }
  static void raise(uint8_t* registers, uint64_t hash) noexcept {
    uint8_t& known = registers[index_of(hash)];
    const uint8_t rank = rank_of(hash);
    if (rank > known) known = rank;
  }

  void add_listed(uint32_t index, uint8_t rank);
  // Keeps the highest rank of each register.
  static void tidy(std::vector<uint32_t>& listed);
  void to_registers();

  std::vector<uint32_t> listed_;    // index << 8 | rank, until there are registers
  uint64_t next_tidy_ = 32;         // length of the list that calls for tidy()
  std::vector<uint8_t> registers_;  // empty: the list is in use
};

}  // namespace heron::inline v0
