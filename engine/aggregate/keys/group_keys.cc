#include "aggregate/keys/group_keys.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "aggregate/distinct/distinct_set.h"
#include "base/fail.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

using Of = KeyLayout::Part::Of;

// Returns the bits of a number, for floats those of the canonical one, with zeros above.
template <class T>
uint64_t key_bits(T value) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<BitsOf<T>>(canonical(value));
  else
    return static_cast<BitsOf<T>>(value);
}

// Returns the bits by which stored cells encode null, which no value has; nullopt if there are
// none.
std::optional<uint64_t> null_bits(const Column& column) {
  const std::optional<FlatCells> flat = column.flat();
  if (!flat || !has_number_cells(column.type()) || flat->dictionary != nullptr || column.key_values() != nullptr) return std::nullopt;
  return visit_cell_type(column.type(), [&]<class T>() -> std::optional<uint64_t> {
    if constexpr (std::is_floating_point_v<T>) {
      if (flat->nulls == NullEncoding::NaN) return key_bits(std::numeric_limits<T>::quiet_NaN());
    } else if constexpr (std::is_signed_v<T>) {
      if (flat->nulls == NullEncoding::Sentinel) return key_bits(std::numeric_limits<T>::min());
    }
    return std::nullopt;
  });
}

// Adds bits(row), or the bits of null, to the word of each row.
template <class Bits>
void put(const Values& column, std::span<const uint32_t> rows, const KeyLayout::Part& part,
         uint64_t* words, Bits bits) {
  if (column.null_count == 0) {
    for (uint64_t i = 0; i < rows.size(); ++i) words[i] |= bits(rows[i]) << part.shift;
    return;
  }
  for (uint64_t i = 0; i < rows.size(); ++i) {
    const bool is_valid = column.validity.bit(rows[i]);
    words[i] |= (is_valid ? bits(rows[i]) : part.null) << part.shift;
  }
}

// Returns whether 64 bits hold all decimals of the type.
bool fits_word(const Type& type) {
  constexpr uint64_t kMaxDigits = std::numeric_limits<int64_t>::digits10;
  return type.is(Type::Decimal) && type.size() <= kMaxDigits;
}

// Throws Error(Corrupt) if a decimal has more digits than its type, and 64 bits do not hold it.
void check_words(const Values& column, std::span<const uint32_t> rows) {
  int64_t outside = 0;
  const auto check = [&](uint32_t row) {
    const auto units = cell_of<WideInteger>(column, row);
    return units.high ^ (static_cast<int64_t>(units.low) >> 63);
  };
  for (const uint32_t row : rows) {
    outside |= column.null_count != 0 && !column.validity.bit(row) ? 0 : check(row);
  }
  if (outside != 0) {
    fail(ErrorKind::Corrupt, {}, "expected at most ", column.type.size(), " digits of ",
         column.type.name(), ", got a decimal of more");
  }
}

void put_values(const Values& column, std::span<const uint32_t> rows, const KeyLayout::Part& part,
                uint64_t* words) {
  const auto use = [&](auto bits) {
    const auto lowest = [bits, mask = part.mask](uint32_t row) { return bits(row) & mask; };
    put(column, rows, part, words, lowest);
  };
  if (part.of == Of::Null) {
    if (column.null_count != 0) use([](uint32_t) { return uint64_t{0}; });
  } else if (part.of == Of::Minutes) {
    use([&](uint32_t row) { return key_bits(cell_of<DateTimeOffset>(column, row).minutes); });
  } else if (column.type.is(Type::Decimal)) {
    const bool is_high = part.of == Of::High;
    if (fits_word(column.type)) check_words(column, rows);
    use([&](uint32_t row) {
      const auto units = cell_of<WideInteger>(column, row);
      return is_high ? static_cast<uint64_t>(units.high) : units.low;
    });
  } else if (column.type.is(Type::DateTimeOffset)) {
    use([&](uint32_t row) { return key_bits(cell_of<DateTimeOffset>(column, row).ticks); });
  } else if (column.type.is(Type::Bool)) {
    use([&](uint32_t row) { return uint64_t{column.data.bit(row)}; });
  } else {
    visit_cell_type(column.type, [&]<class T>() {
      use([&](uint32_t row) { return key_bits(cell_of<T>(column, row)); });
    });
  }
}

}  // namespace

KeyLayout::KeyLayout(std::span<const Column* const> columns) : stages_(1) {
  std::vector<std::pair<Part, unsigned>> parts;  // parts with their numbers of bits
  for (uint64_t i = 0; i < columns.size(); ++i) {
    const Type& type = columns[i]->type();
    if (type.has_bytes()) {
      parts.push_back({{Part::Of::Text, i}, 32});
      continue;
    }
    if (type.is(Type::Null)) continue;
    std::optional<uint64_t> null;
    if (type.is(Type::DateTimeOffset)) {
      parts.push_back({{Part::Of::Value, i}, 64});
      parts.push_back({{Part::Of::Minutes, i}, 16});
    } else if (type.is(Type::Decimal)) {
      parts.push_back({{Part::Of::Value, i}, 64});
      if (!fits_word(type)) parts.push_back({{Part::Of::High, i}, 64});
    } else if (type.is(Type::Bool)) {
      parts.push_back({{Part::Of::Value, i}, 1});
    } else if (const auto bounds = columns[i]->bounds(); bounds && type.width() == 8) {
      // The lowest bits distinguish the numbers, and null, which is the number after the greatest.
      // Small numbers stay small.
      const auto low = static_cast<uint64_t>(bounds->low);
      const auto high = static_cast<uint64_t>(bounds->high);
      const auto bits = static_cast<unsigned>(std::bit_width(high - low + 1));
      const uint64_t mask = UINT64_MAX >> (64 - bits);
      null = (high + 1) & mask;
      parts.push_back({{Part::Of::Value, i, *null, mask}, bits});
    } else {
      null = null_bits(*columns[i]);
      parts.push_back({{Part::Of::Value, i, null.value_or(0)}, 8 * type.width()});
    }
    const bool has_nulls = columns[i]->nullable() || type.is(Type::Key);
    if (has_nulls && !null) parts.push_back({{Part::Of::Null, i, 1}, 1});
  }
  // Narrow parts get the lowest bits: keys of a few bools and small numbers are small then, and
  // found in an array.
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [part, bits] : parts) add(part, bits);
}

void KeyLayout::add(Part part, unsigned bits) {
  const auto fits = [&] {
    part.word = 64 - stages_.back().bits[0] >= bits ? 0 : 1;
    part.shift = stages_.back().bits[part.word];
    return 64 - part.shift >= bits;
  };
  if (!fits()) {
    Stage& next = stages_.emplace_back();
    next.bits[0] = 32;  // the number of the key so far
    next.halves = 1;
    fits();
  }
  stages_.back().halves += part.of == Part::Of::Text && part.word == 0;
  stages_.back().bits[part.word] += bits;
  stages_.back().parts.push_back(part);
}

GroupKeys::GroupKeys(const KeyLayout& layout, std::span<const Values> columns,
                     std::span<const uint32_t> rows, Arena& arena)
    : size_(rows.size()), rows_(rows.data()) {
  for (const KeyLayout::Stage& stage : layout.stages()) {
    Words& keys = stages_.emplace_back();
    for (unsigned word = 0; word < 2; ++word) {
      const bool is_used = word == 0 ? !stage.is_text() && !stage.has_halves() : stage.is_pair();
      keys.words[word] = is_used ? arena.allocate_array<uint64_t>(size_) : nullptr;
      if (is_used) std::fill_n(keys.words[word], size_, 0);
    }
    for (const KeyLayout::Part& part : stage.parts) {
      const Values& column = columns[part.column];
      if (part.of != Of::Text) {
        put_values(column, rows, part, keys.words[part.word]);
        continue;
      }
      keys.texts.push_back({column.offsets, column.data,
                            column.null_count == 0 ? Buffer() : column.validity,
                            column.type.has_large_offsets()});
    }
  }
}

template <class Use>
void GroupKeys::visit(const Texts& texts, std::span<const uint32_t> indices, Use use) const {
  const char* characters = texts.characters.data == nullptr ? "" : texts.characters.as<char>();
  const uint32_t* const rows = rows_;
  // `indices` ascend, as rows do: if there is one per key, they name all keys.
  const bool are_consecutive =
      !indices.empty() && indices.size() == size_ && rows[size_ - 1] - rows[0] == size_ - 1;
  const auto visit_offsets = [&](const auto* offsets) {
    const auto text_of = [=](uint32_t row) __attribute__((always_inline)) {
      const auto start = static_cast<uint64_t>(offsets[row]);
      return std::string_view(characters + start, static_cast<uint64_t>(offsets[row + 1]) - start);
    };
    const auto use_rows = [&](auto row_of) {
      const auto text = [=](uint64_t i) { return text_of(row_of(i)); };
      if (texts.validity.data == nullptr) return use(text, [](uint64_t) { return false; });
      use(text, [=, validity = texts.validity](uint64_t i) { return !validity.bit(row_of(i)); });
    };
    are_consecutive
        ? use_rows([first = rows[0]](uint64_t i) { return first + static_cast<uint32_t>(i); })
        : use_rows([=](uint64_t i) { return rows[indices[i]]; });
  };
  texts.has_large_offsets ? visit_offsets(texts.offsets.as<int64_t>())
                          : visit_offsets(texts.offsets.as<int32_t>());
}

std::span<const uint64_t> GroupKeys::hashes(std::span<const uint32_t> indices, Arena& arena) const {
  constexpr uint64_t kFactor = 0xD6E8FEB86659FD93u;
  auto* hashes = arena.allocate_array<uint64_t>(indices.size());
  std::fill_n(hashes, indices.size(), 0);
  const auto add = [&](const auto* words) {
    for (uint64_t i = 0; i < indices.size(); ++i) {
      hashes[i] = mixed(hashes[i] ^ words[indices[i]], kFactor);
    }
  };
  if (codes_ != nullptr) add(codes_);
  for (const Words& stage : stages_) {
    for (const uint64_t* words : stage.words) {
      if (words != nullptr) add(words);
    }
    for (const Texts& texts : stage.texts) {
      visit(texts, indices, [&](auto text, auto is_null) {
        for (uint64_t i = 0; i < indices.size(); ++i) {
          const TextTag tag = is_null(i) ? TextTag::of_null() : tag_of(text(i));
          hashes[i] = mixed(hashes[i] ^ tag.hash(), kFactor);
        }
      });
    }
  }
  return {hashes, indices.size()};
}

GroupIndex::GroupIndex(const KeyLayout& layout, uint32_t codes)
    : layout_(layout), codes_(codes), stages_(layout.stages().size()) {}

void GroupIndex::find_or_add(const GroupKeys& keys, std::span<const uint32_t> indices,
                             uint32_t* numbers) {
  if (keys.codes() != nullptr) {
    for (uint64_t i = 0; i < indices.size(); ++i) {
      numbers[i] = codes_.find_or_add(keys.codes()[indices[i]]);
    }
    return;
  }
  for (uint64_t i = 0; i < stages_.size(); ++i) find_in_stage(i, keys, indices, numbers);
}

void GroupIndex::find_in_stage(uint64_t i, const GroupKeys& keys, std::span<const uint32_t> indices,
                               uint32_t* numbers) {
  const KeyLayout::Stage& layout = layout_.stages()[i];
  const GroupKeys::Words& words = keys.stages_[i];
  StageIndex& index = stages_[i];
  while (index.texts.size() < words.texts.size()) index.texts.emplace_back(false);
  const auto find_texts = [&](uint64_t t, uint32_t* found) {
    keys.visit(words.texts[t], indices, [&](auto text, auto is_null) {
      index.texts[t].find_or_add_all(indices.size(), text, is_null, found);
    });
  };
  if (layout.is_text()) return find_texts(0, numbers);

  const uint64_t count = indices.size();
  if (layout.has_halves()) {
    for (uint64_t t = 0; t < words.texts.size(); ++t) {
      text_numbers_[t].resize(count);
      find_texts(t, text_numbers_[t].data());
    }
    const uint32_t* lows = i == 0 ? text_numbers_[0].data() : numbers;
    const auto word = [lows, highs = text_numbers_[i == 0].data()](uint64_t k) {
      return uint64_t{highs[k]} << 32 | lows[k];
    };
    return find_words(index, count, true, word, numbers);
  }
  if (i == 0 && words.texts.empty() && !layout.is_pair()) {
    const auto word = [all = words.words[0], indices](uint64_t k) { return all[indices[k]]; };
    return find_words(index, count, false, word, numbers);
  }
  pairs_.resize(count);
  for (uint64_t k = 0; k < count; ++k) {
    pairs_[k] = {words.words[0][indices[k]] | (i == 0 ? 0 : numbers[k]),
                 layout.is_pair() ? words.words[1][indices[k]] : 0};
  }
  uint64_t text = 0;
  for (const KeyLayout::Part& part : layout.parts) {
    if (part.of != Of::Text) continue;
    std::vector<uint32_t>& found = text_numbers_[0];
    found.resize(count);
    find_texts(text++, found.data());
    for (uint64_t k = 0; k < count; ++k) {
      (part.word == 0 ? pairs_[k].low : pairs_[k].high) |= uint64_t{found[k]} << part.shift;
    }
  }
  if (!layout.is_pair()) {
    const auto word = [all = pairs_.data()](uint64_t k) { return all[k].low; };
    return find_words(index, count, false, word, numbers);
  }
  index.pairs.find_or_add_all(count, [all = pairs_.data()](uint64_t k) { return all[k]; }, numbers);
}

template <class WordAt>
void GroupIndex::find_words(StageIndex& index, uint64_t count, bool has_halves, WordAt word,
                            uint32_t* numbers) {
  if (!index.prefers_array()) {
    index.words.find_or_add_all(count, word, numbers);
    return;
  }
  index.looked_up += count;
  const auto find_each = [&](auto fetch) {
    uint64_t misses = 0;
    // Keys that are not small, such as days, often equal the key of the row before.
    uint64_t last = 0;
    uint32_t last_number = UINT32_MAX;
    for (uint64_t k = 0; k < count; ++k) {
      fetch(k);
      const uint64_t key = word(k), small = small_key(key, has_halves);
      const uint32_t next_number = small < index.small.size() ? index.small[small] : 0;
      if (next_number != 0) {
        numbers[k] = next_number - 1;
        continue;
      }
      ++misses;
      if (key != last || last_number == UINT32_MAX) {
        last = key;
        last_number = add_word(index, key, small);
      }
      numbers[k] = last_number;
    }
    return misses;
  };
  constexpr uint64_t kAhead = 12;
  const bool fetches = index.misses_often && index.words.size() >= kInCache;
  const uint64_t misses = fetches ? find_each([&](uint64_t k) {
    if (k + kAhead < count) index.words.prefetch(word(k + kAhead));
  })
                                  : find_each([](uint64_t) {});
  index.misses_often = misses * 16 > count;
}

uint32_t GroupIndex::add_word(StageIndex& index, uint64_t word, uint64_t small) {
  const uint32_t known = index.words.size(), number = index.words.find_or_add(word);
  index.small_keys += number == known && small < kSmallKeys;
  if (small < kSmallKeys && small < std::max(kAlwaysSmall, kSmallAKey * index.looked_up)) {
    if (small >= index.small.size()) index.small.resize(std::bit_ceil(small + 1));
    index.small[small] = number + 1;
  }
  return number;
}

uint64_t GroupIndex::size() const noexcept {
  const StageIndex& last = stages_.back();
  const bool is_text = layout_.stages().back().is_text() && !last.texts.empty();
  const uint64_t texts = is_text ? last.texts[0].size() : 0;
  return std::max<uint64_t>({codes_.size(), last.words.size(), last.pairs.size(), texts});
}

uint64_t GroupIndex::bytes() const noexcept {
  uint64_t bytes = codes_.bytes();
  for (const StageIndex& stage : stages_) {
    bytes += stage.words.bytes() + stage.pairs.bytes() + stage.small.capacity() * sizeof(uint32_t);
    for (const BytesIndex& texts : stage.texts) bytes += texts.bytes();
  }
  return bytes;
}

}  // namespace heron::inline v0
