// Predicates on texts of all short lengths, many of which are nearly alike, in memory that ends
// behind the last, against the same tests of one std::string after the other.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "columns/row_bits.h"
#include "filter/find_text.h"
#include "filter/value_predicate.h"
#include "kit/guarded_bytes.h"

namespace heron {
namespace {

using PieceKind = LikePattern::Piece::Kind;
using Matches = std::function<bool(const std::string&)>;

template <class Offset>
class TextPredicate : public testing::Test {
 protected:
  static constexpr uint64_t kMaxRows = 300, kMaxBytes = 100;

  std::string text_of(uint64_t bytes) {
    std::string text = random() % 2 == 0 ? std::string("aaaaaaaaaaaaaaaaaaaaaaab") : std::string();
    while (text.size() < bytes) text += "ab"[random() % 2];
    text.resize(bytes);
    return text;
  }
  // Makes some rows of up to `most` bytes.
  void fill(uint64_t most) {
    texts.clear();
    std::string characters(random() % 12, 'x');  // characters before the first text
    offsets.assign(1, static_cast<Offset>(characters.size()));
    const bool of_one_length = random() % 3 == 0;
    for (uint64_t left = random() % kMaxRows; left > 0; --left) {
      const bool again = !texts.empty() && random() % 4 == 0;
      const uint64_t bytes = of_one_length ? most : random() % (most + 1);
      texts.push_back(again ? texts[random() % texts.size()] : text_of(bytes));
      characters += texts.back();
      offsets.push_back(static_cast<Offset>(characters.size()));
    }
    const auto bytes = std::as_bytes(std::span(characters));
    chunk.rows = {0, texts.size()};
    chunk.values = Values(sizeof(Offset) == 4 ? Type::Text : Type::LargeText, texts.size());
    chunk.values.data = {memory.hold(bytes).data(), bytes.size()};
    chunk.values.offsets = {reinterpret_cast<const std::byte*>(offsets.data()),
                            offsets.size() * sizeof(Offset)};
  }
  std::string some_text(uint64_t most) {
    return !texts.empty() && random() % 4 != 0 ? texts[random() % texts.size()]
                                               : text_of(random() % (most + 1));
  }

  // Checks a predicate, also that bits that are already clear stay clear.
  void check(const ColumnPredicate& predicate, const Matches& matches, const std::string& what) {
    std::vector<uint64_t> rows(bit_words(texts.size()) + 1, 0);
    set_first_bits(rows.data(), texts.size());
    const bool all = random() % 2 == 0;
    for (uint64_t& word : rows) word &= all ? UINT64_MAX : random() & random();
    const std::vector<uint64_t> before = rows;
    predicate.filter(chunk, rows.data(), {});
    for (uint64_t row = 0; row < 64 * rows.size(); ++row) {
      const bool was = (before[row / 64] >> (row % 64) & 1) != 0;
      const bool is = (rows[row / 64] >> (row % 64) & 1) != 0;
      ASSERT_EQ(is, was && matches(texts[row])) << what << " of row " << row;
    }
  }

  std::mt19937_64 random{7};
  GuardedBytes memory{kMaxRows * kMaxBytes + 12};
  std::vector<std::string> texts;
  std::vector<Offset> offsets;
  ColumnChunk chunk;
};

using Offsets = testing::Types<int32_t, int64_t>;
TYPED_TEST_SUITE(TextPredicate, Offsets);

constexpr uint64_t kLengths[] = {0, 1, 2, 3, 5, 7, 8, 9, 12, 15, 16, 17, 23, 24, 25, 40, 100};

TYPED_TEST(TextPredicate, OneTextOrSome) {
  for (int turn = 0; turn < 20; ++turn) {
    for (const uint64_t most : kLengths) {
      this->fill(most);
      for (const uint64_t count : {1, 2, 20, 200}) {
        std::set<std::string> members;
        for (uint64_t i = 0; i < count; ++i) members.insert(this->some_text(most));
        std::vector<TextInterval> intervals;
        for (const std::string& text : members) intervals.push_back({text, text + '\0'});
        this->check(*make_text_predicate(intervals),
                    [&](const std::string& text) { return members.contains(text); }, "in");
      }
    }
  }
}

TYPED_TEST(TextPredicate, AllTextsButOneOrSome) {
  for (int turn = 0; turn < 20; ++turn) {
    for (const uint64_t most : kLengths) {
      this->fill(most);
      for (const uint64_t count : {1, 2, 20}) {
        std::set<std::string> left_out;
        if (turn % 2 == 0) left_out.insert("");
        while (left_out.size() < count) left_out.insert(this->text_of(this->random() % 40));
        std::vector<TextInterval> intervals;
        std::string from;
        for (const std::string& text : left_out) {
          if (!text.empty()) intervals.push_back({from, text});
          from = text + '\0';
        }
        intervals.push_back({from, {}});
        this->check(*make_text_predicate(intervals),
                    [&](const std::string& text) { return !left_out.contains(text); }, "not in");
      }
    }
  }
}

TYPED_TEST(TextPredicate, OneIntervalOrSome) {
  for (int turn = 0; turn < 40; ++turn) {
    for (const uint64_t most : kLengths) {
      this->fill(most);
      for (const uint64_t count : {1, 1, 1, 3}) {
        std::set<std::string> ends;
        for (uint64_t i = 0; i < 2 * count; ++i) ends.insert(this->some_text(most));
        std::vector<TextInterval> intervals;
        for (auto end = ends.begin(); end != ends.end(); ++end) {
          intervals.push_back({*end, {}});
          if (++end == ends.end()) break;
          intervals.back().below = *end;
        }
        this->check(*make_text_predicate(intervals),
                    [&](const std::string& text) {
                      for (const auto& [low, below] : intervals) {
                        if (low <= text && (!below || text < *below)) return true;
                      }
                      return false;
                    },
                    "between");
      }
    }
  }
}

TYPED_TEST(TextPredicate, Like) {
  const auto any = LikePattern::Piece{PieceKind::Any, {}};
  const auto one = LikePattern::Piece{PieceKind::One, {}};
  for (int turn = 0; turn < 20; ++turn) {
    for (const uint64_t most : kLengths) {
      this->fill(most);
      const std::string a = this->text_of(1 + this->random() % 12);
      const std::string b = this->text_of(1 + this->random() % 12);
      const auto piece_a = LikePattern::Piece{PieceKind::Text, a};
      const auto piece_b = LikePattern::Piece{PieceKind::Text, b};
      const auto contains = [&](const std::string& text) {
        return text.find(a) != std::string::npos;
      };
      const auto in_the_middle = [&](const std::string& text) {
        return text.size() > a.size() + 1 && text.find(a, 1) < text.size() - a.size();
      };
      const auto at_both_ends = [&](const std::string& text) {
        return text.size() >= a.size() + b.size() && text.starts_with(a) && text.ends_with(b);
      };
      const std::pair<LikePattern, Matches> cases[] = {
          {{{piece_a, any}}, [&](const std::string& text) { return text.starts_with(a); }},
          {{{any, piece_a}}, [&](const std::string& text) { return text.ends_with(a); }},
          {{{any, piece_a, any}}, contains},
          {{{piece_a, any, piece_b}}, at_both_ends},
          {{{one, any, piece_a, any, one}}, in_the_middle},
          {{{piece_a, one}},
           [&](const std::string& text) {
             return text.size() == a.size() + 1 && text.starts_with(a);
           }},
          {{{any, piece_a, any, piece_b, any}},
           [&](const std::string& text) {
             const size_t at = text.find(a);
             return at != std::string::npos && text.find(b, at + a.size()) != std::string::npos;
           }},
      };
      for (const auto& [pattern, matches] : cases) {
        this->check(*make_like_predicate(pattern, false), matches, a + " like " + b);
        this->check(*make_like_predicate(pattern, true),
                    [&matches = matches](const std::string& text) { return !matches(text); },
                    a + " not like " + b);
      }
    }
  }
}

// Texts are longer than one search block, and some matches begin in one row and end in the next.
TYPED_TEST(TextPredicate, ContainedInLongTexts) {
  std::string characters(20000, 'x');
  const std::vector<TypeParam> starts{0, 1, 4094, 4098, 4098, 9000, 20000};
  const auto found = [&](std::string_view pattern) {
    Values values(sizeof(TypeParam) == 4 ? Type::Text : Type::LargeText, starts.size() - 1);
    values.data = {reinterpret_cast<const std::byte*>(characters.data()), characters.size()};
    values.offsets = {reinterpret_cast<const std::byte*>(starts.data()),
                      starts.size() * sizeof(TypeParam)};
    uint64_t rows = 0x3f;
    keep_containing(TextCells<TypeParam>(values), pattern, &rows);
    return rows;
  };
  EXPECT_EQ(found("ab"), 0u);
  EXPECT_EQ(found("xx"), 0b110110u);
  for (const auto& [at, row] : {std::pair<size_t, uint64_t>{1, 1}, {4091, 1}, {4094, 2}, {4095, 2},
                                {4098, 4}, {8997, 4}, {9000, 5}, {19997, 5}}) {
    characters.replace(at, 3, "abc");
    EXPECT_EQ(found("abc"), uint64_t{1} << row) << at;
    characters.replace(at, 3, "xxx");
  }
  for (const size_t between : {0, 4092, 4093, 4096, 4097, 8998, 8999}) {
    characters.replace(between, 3, "abc");
    EXPECT_EQ(found("abc"), 0u) << between;
    characters.replace(between, 3, "xxx");
  }
}

}  // namespace
}  // namespace heron
