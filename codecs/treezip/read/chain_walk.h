// Computes the bits that follow a history.
#pragma once

#include <cstring>
#include <span>

#include "treezip/read/node_table.h"

namespace heron::inline v0::treezip {

// Decodes the bits from address `first` up to `last`, which are not within the same byte; `history`
// is the one before `first` and becomes the one before `last`. Writes whole words, beginning at
// `out` with the word of `first`; its bits before `first` come from the history. The last word has
// zeros from `last` on.
template <class Key>
void walk_bits(const NodeTable<Key>& tree, uint64_t first, uint64_t last,
               typename Key::Past& history, uint64_t* out) {
  using Table = NodeTable<Key>;
  for (uint64_t address = first; address < last;) {
    const uint64_t stop = std::min(last, (address | 63) + 1);
    for (; address < stop; ++address) {
      typename Key::Word word = tree.entry(address);
      if (!Table::is_leaf(word)) {
        const Key key(tree.shape(), address, history);
        do {
          word = tree.next(word, key);
        } while (!Table::is_leaf(word));
      }
      // A branch, not arithmetic: if the bit is predicted, the next walk starts before this one has
      // ended (12.8 to 16.4 MB/s of records that look back 16 bits).
      uint64_t bit = 0;
      if (word != 0) {
        asm volatile("");
        bit = uint64_t{1} << 63;
      }
      history.push(bit);
    }
    *out++ = history.newest() >> (-address % 64);
  }
}

// Walks kLanes blocks of `bits` bits that follow each other from `first` on, interleaved, so that
// one continues while another waits for memory. `bits` and `first` are multiples of
// NodeTable::kEntries. Writes the bytes of all blocks.
template <unsigned kLanes, class Key>
void walk_lanes(const NodeTable<Key>& tree, uint64_t first, uint64_t bits,
                typename Key::Past* histories, std::byte* out) {
  using Table = NodeTable<Key>;
  using Word = typename Key::Word;
  for (uint64_t bit = 0; bit < bits; ++bit) {
    const Word entry = tree.entry(bit);
    if (Table::is_leaf(entry)) {
      for (unsigned lane = 0; lane < kLanes; ++lane) histories[lane].push(Table::pushed(entry));
    } else {
      std::array<Key, kLanes> keys;
      std::array<Word, kLanes> words;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        keys[lane] = Key(tree.shape(), first + lane * bits + bit, histories[lane]);
        words[lane] = entry;
      }
      Word highest;  // unless it is a leaf, some lane is not done
      do {
        highest = 0;
#pragma GCC unroll 8
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          words[lane] = tree.next(words[lane], keys[lane]);
          highest |= words[lane];
        }
      } while (!Table::is_leaf(highest));
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        histories[lane].push(Table::pushed(words[lane]));
      }
    }
    if (bit % 64 == 63) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const uint64_t word = histories[lane].newest();
        std::memcpy(out + lane * (bits / 8) + bit / 64 * 8, &word, sizeof word);
      }
    }
  }
}

}  // namespace heron::inline v0::treezip
