// Numbers of words that differ in few bits, such as those of the texts "id001" and "id002".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heron::inline v0 {

// Remembers numbers of words in an array whose index is made of the bits in which the words differ.
// It serves where most words are such ones, and the processor gathers bits fast. One thread at a
// time.
class WordCodes {
 public:
  // Whether find() is faster than a table.
  bool are_useful() const noexcept { return useful_; }
  // Sets numbers[i] to the number of words[i] where it is remembered, else to any. Returns a bit
  // for each word that is not. At most 64 words.
  uint64_t find(std::span<const uint64_t> words, uint32_t* numbers) noexcept;
  // Remembers a word's number if that takes no more than kBits bits. Each word is given once.
  void add(uint64_t word, uint32_t number);
  uint64_t bytes() const noexcept { return next_numbers_.capacity() * sizeof(uint32_t); }

 private:
  static constexpr int kBits = 12;  // the array stays in the first cache
  struct Known {
    uint64_t word;
    uint32_t number;
  };

  uint64_t first_ = 0;                  // the first word
  uint64_t differing_ = 0;              // the bits in which another one differs from it
  std::vector<uint32_t> next_numbers_;  // by the values of these bits; 0: no word
  std::vector<Known> known_;
  uint64_t asked_ = 0, missed_ = 0;
  bool useful_ = can_gather_bits();

  static bool can_gather_bits() noexcept;
};

}  // namespace heron::inline v0
