// Finds the numbers of words that differ in few bits, such as those of the texts "id001" and
// "id002".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heron::inline v0 {

// Remembers numbers of words in an array whose index is made of the bits in which the words differ.
// It is useful if most words are remembered and the processor gathers bits fast. One thread at a
// time.
class WordCodes {
 public:
  // Returns whether find() is faster than a table.
  bool are_useful() const noexcept { return useful_; }
  // Sets numbers[i] to the number of words[i] if it is remembered, else to any value. Returns a bit
  // for each word, set if it is not remembered. At most 64 words.
  uint64_t find(std::span<const uint64_t> words, uint32_t* numbers) noexcept;
  // Remembers a word's number if the words then differ in at most kBits bits. Each word is added
  // once.
  void add(uint64_t word, uint32_t number);
  uint64_t bytes() const noexcept { return next_numbers_.capacity() * sizeof(uint32_t); }

 private:
  static constexpr int kBits = 12;  // the array stays in the first cache
  struct Known {
    uint64_t word;
    uint32_t number;
  };

  uint64_t first_ = 0;                  // the first word
  uint64_t differing_ = 0;              // the bits in which other words differ from first_
  std::vector<uint32_t> next_numbers_;  // number + 1 by values of differing bits; 0: no word
  std::vector<Known> known_;
  uint64_t looked_up_ = 0, missed_ = 0;
  bool useful_ = can_gather_bits();

  static bool can_gather_bits() noexcept;
};

}  // namespace heron::inline v0
