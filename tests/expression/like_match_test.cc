// Matches of `like` against a slow matcher that compares one character after the other.
#include "expression/functions/like_match.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace heron {
namespace {

using PieceKind = LikePattern::Piece::Kind;

// Returns the pattern of a text: % and _ have their meaning, every other character is a text.
LikePattern pattern_of(const std::string& text) {
  LikePattern pattern;
  for (const char c : text) {
    if (c == '%')
      pattern.pieces.push_back({PieceKind::Any, {}});
    else if (c == '_')
      pattern.pieces.push_back({PieceKind::One, {}});
    else if (!pattern.pieces.empty() && pattern.pieces.back().kind == PieceKind::Text)
      pattern.pieces.back().text += c;
    else
      pattern.pieces.push_back({PieceKind::Text, std::string(1, c)});
  }
  return pattern;
}
bool matches(const std::string& pattern, const std::string& text) {
  return LikeMatch(pattern_of(pattern))(text);
}

TEST(LikeMatch, Texts) {
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("%", ""));
  EXPECT_TRUE(matches("ab%", "ab"));
  EXPECT_FALSE(matches("ab%ba", "aba"));
  EXPECT_TRUE(matches("ab%ba", "abba"));
  EXPECT_TRUE(matches("%an%an%", "banana"));
  EXPECT_FALSE(matches("%ana%ana%", "banana"));
  EXPECT_TRUE(matches("%%%%a%%%%", "a"));
  EXPECT_FALSE(matches("%a%b%c%", "acb"));
}

TEST(LikeMatch, OneIsACharacter) {
  EXPECT_TRUE(matches("_", "x"));
  EXPECT_FALSE(matches("_", ""));
  for (const char* character : {"é", "€", "😀"}) {
    EXPECT_TRUE(matches("_", character));
    EXPECT_FALSE(matches("__", character));
    EXPECT_TRUE(matches("a_b", std::string("a") + character + "b"));
    EXPECT_TRUE(matches("%_b", std::string(character) + "b"));
    EXPECT_FALSE(matches("%__b", std::string(character) + "b"));
  }
}

TEST(LikeMatch, OneIsAByteWhereBytesAreNotUtf8) {
  // These bytes are no characters: one cut short, a continuation alone, an overlong form, a
  // surrogate, and one above the last character.
  for (const std::string text : {"\xc3", "\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                                 "\xf4\x90\x80\x80", "\xe2\x82", "\xff", "\xf0\x9f\x98"}) {
    EXPECT_TRUE(matches(std::string(text.size(), '_'), text));
    EXPECT_FALSE(matches(std::string(text.size() - 1, '_'), text));
    EXPECT_TRUE(matches("a%_z", 'a' + text + 'z'));
  }
  EXPECT_TRUE(matches("___",
                      "\xc3"
                      "aé"));
}

// Returns the characters of a text: valid ones whole.
std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> all;
  for (size_t at = 0; at < text.size();) {
    const bool two = text.substr(at, 2) == "é";
    all.push_back(text.substr(at, two ? 2 : 1));
    at += all.back().size();
  }
  return all;
}
bool slow(const std::vector<std::string>& pattern, size_t p, const std::vector<std::string>& text,
          size_t t) {
  if (p == pattern.size()) return t == text.size();
  if (pattern[p] == "%") {
    return slow(pattern, p + 1, text, t) || (t < text.size() && slow(pattern, p, text, t + 1));
  }
  if (t == text.size() || (pattern[p] != "_" && pattern[p] != text[t])) return false;
  return slow(pattern, p + 1, text, t + 1);
}

TEST(LikeMatch, AgreesWithTheSlowOne) {
  std::mt19937 random(5);
  const char* kPieces[] = {"%", "%", "_", "a", "b", "é", "ab"};
  const char* kText[] = {"a", "b", "é", "\xc3", "a"};
  uint64_t matched = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string pattern, text;
    for (uint64_t left = random() % 8; left > 0; --left) pattern += kPieces[random() % 7];
    for (uint64_t left = random() % 9; left > 0; --left) text += kText[random() % 5];
    const bool expected = slow(characters(pattern), 0, characters(text), 0);
    matched += expected;
    ASSERT_EQ(matches(pattern, text), expected) << pattern << " of " << text;
  }
  EXPECT_GT(matched, 1000u);
}

TEST(LikeMatch, ManyAnysTakeNoMoreThanTextTimesPattern) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "%a_";
  EXPECT_FALSE(matches(pattern + "b", std::string(20000, 'a')));
  EXPECT_TRUE(matches(pattern + "%b", std::string(20000, 'a') + 'b'));
}

}  // namespace
}  // namespace heron
