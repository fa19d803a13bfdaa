// The keys of rows in words of 64 bits: two keys are equal if all values of the key columns are.
//
// Each value has its bits in a key of one or two words, and so has its null where the column can
// have one; a text has its number in an index instead. Where two words are too few, the number of
// the key so far begins the key of the next stage: in the last stage, the number of the key is that
// of the group.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "aggregate/keys/group_index.h"
#include "aggregate/keys/text_index.h"
#include "base/arena.h"
#include "base/zeroed_array.h"
#include "columns/column.h"

namespace heron::inline v0 {

// Assigns bits of keys to the values of key columns.
class KeyLayout {
 public:
  struct Part {
    enum class Of : uint8_t {
      Value,
      Minutes,  // of a datetimeoffset
      High,     // 64 bits of a decimal
      Null,
      Text
    };
    Of of;
    uint64_t column;             // index in the key columns
    uint64_t null = 0;           // the bits of a null value
    uint64_t mask = UINT64_MAX;  // the bits of a value that are in the key
    unsigned word = 0, shift = 0;
  };
  struct Stage {
    std::vector<Part> parts;
    unsigned bits[2] = {0, 0};  // bits of each word that are in use
    unsigned halves = 0;        // numbers of 32 bits in the first word
    bool is_pair() const noexcept { return bits[1] != 0; }
    // Returns whether both halves of the only word are numbers of texts, or of the key so far.
    bool has_halves() const noexcept { return halves == 2 && bits[0] == 64 && !is_pair(); }
    // Returns whether the number of a text is that of the key.
    bool is_text() const noexcept {
      return parts.size() == 1 && bits[0] == 32 && parts[0].of == Part::Of::Text;
    }
  };

  explicit KeyLayout(std::span<const Column* const> columns);

  const std::vector<Stage>& stages() const noexcept { return stages_; }

 private:
  void add(Part part, unsigned bits);

  std::vector<Stage> stages_;
};

// The keys of some rows, either codes (key_codes.h) or words and texts.
class GroupKeys {
 public:
  explicit GroupKeys(std::span<const uint32_t> codes) : size_(codes.size()), codes_(codes.data()) {}
  // Reads these rows of the columns. Layout, columns and arena must outlive this.
  GroupKeys(const KeyLayout& layout, std::span<const Values> columns,
            std::span<const uint32_t> rows, Arena& arena);

  uint64_t size() const noexcept { return size_; }
  // Null unless the keys are codes.
  const uint32_t* codes() const noexcept { return codes_; }

  // Returns the hashes of the keys at `indices`, in the arena; equal keys have equal hashes.
  std::span<const uint64_t> hashes(std::span<const uint32_t> indices, Arena& arena) const;

 private:
  friend class GroupIndex;
  struct Texts {
    Buffer offsets, characters, validity;  // buffers of the column; no validity: no nulls
    bool has_large_offsets;
  };
  struct Words {
    uint64_t* words[2];        // keys without the numbers of texts; null: only these
    std::vector<Texts> texts;  // one for each part that is a text, in order
  };

  // Calls use(text, is_null): functions of i that give the text of the key at indices[i] and
  // whether it is null; the text of a null is readable but arbitrary.
  template <class Use>
  void visit(const Texts& texts, std::span<const uint32_t> indices, Use use) const;

  uint64_t size_;
  const uint32_t* codes_ = nullptr;
  const uint32_t* rows_ = nullptr;  // row indices in the columns
  std::vector<Words> stages_;
};

// The groups of a lane by their keys. One thread at a time.
class GroupIndex {
 public:
  // `codes`: how many codes the keys can have; 0: the keys are not codes.
  GroupIndex(const KeyLayout& layout, uint32_t codes);

  // Sets numbers[i] to the group of the key at indices[i]. New groups get the next numbers, in the
  // order of their first keys.
  void find_or_add(const GroupKeys& keys, std::span<const uint32_t> indices, uint32_t* numbers);

  // The number of groups.
  uint64_t size() const noexcept;
  uint64_t bytes() const noexcept;

 private:
  static constexpr uint64_t kInCache = 4096;

  struct StageIndex {
    NumberIndex words;
    KeyIndex<WordPair> pairs;
    std::vector<BytesIndex> texts;
    // The numbers + 1 of keys of one word by small_key(), 0 for keys to look up in `words`: an
    // array is faster than a table. It has at most kSmallAKey elements for each key looked up, once
    // many were.
    ZeroedArray<uint32_t> small;
    uint64_t small_keys = 0, looked_up = 0;
    bool misses_often = false;  // among the last keys, many were not in `small`
    bool prefers_array() const noexcept {
      return words.size() < kInCache || small_keys * 2 > words.size();
    }
  };
  static constexpr uint64_t kSmallKeys = uint64_t{1} << 20, kAlwaysSmall = uint64_t{1} << 16,
                            kSmallAKey = 4;
  // Returns a number below kSmallKeys for a small key, or for a key of two small numbers if its
  // halves are numbers.
  static uint64_t small_key(uint64_t word, bool has_halves) noexcept {
    constexpr unsigned kBits = 10;
    const uint64_t low = word & UINT32_MAX, high = word >> 32;
    if (!has_halves) return word;
    return (low | high) >> kBits == 0 ? high << kBits | low : kSmallKeys;
  }
  // Sets numbers[k] to the number of the key word(k), for all k below `count`.
  template <class WordAt>
  static void find_words(StageIndex& index, uint64_t count, bool has_halves, WordAt word,
                         uint32_t* numbers);
  static uint32_t add_word(StageIndex& index, uint64_t word, uint64_t small);
  void find_in_stage(uint64_t i, const GroupKeys& keys, std::span<const uint32_t> indices,
                     uint32_t* numbers);

  const KeyLayout& layout_;
  CodeIndex codes_;
  std::vector<StageIndex> stages_;
  std::vector<WordPair> pairs_;            // word pairs of the keys being looked up
  std::vector<uint32_t> text_numbers_[2];  // text numbers of the keys being looked up
};

}  // namespace heron::inline v0
