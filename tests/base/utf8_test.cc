// UTF-8 against tables: every code point, and every sequence of up to four of the bytes that
// matter.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace heron {
namespace {

// Unicode 3.9, table 3-7: the bounds of the bytes of well-formed characters.
struct WellFormed {
  std::vector<std::pair<unsigned, unsigned>> bytes;
};
const std::vector<WellFormed> kWellFormed = {
    {{{0x00, 0x7F}}},
    {{{0xC2, 0xDF}, {0x80, 0xBF}}},
    {{{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}}},
    {{{0xE1, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {{{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}}},
    {{{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {{{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {{{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}},
    {{{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}}},
};

struct Expected {
  size_t bytes = 1;
  bool valid = false;
  bool cut_off = false;
};

Expected expected_at(std::string_view text) {
  for (const WellFormed& form : kWellFormed) {
    size_t fits = 0;
    while (fits < std::min(form.bytes.size(), text.size())) {
      const auto byte = static_cast<unsigned char>(text[fits]);
      if (byte < form.bytes[fits].first || byte > form.bytes[fits].second) break;
      ++fits;
    }
    if (fits == 0) continue;
    return {fits, fits == form.bytes.size(), fits < form.bytes.size() && fits == text.size()};
  }
  return {};
}

void check(std::string_view text) {
  const CodePoint found = decode_utf8(text, 0);
  const Expected expected = expected_at(text);
  ASSERT_EQ(found.bytes, expected.bytes) << testing::PrintToString(std::string(text));
  ASSERT_EQ(found.valid, expected.valid) << testing::PrintToString(std::string(text));
  ASSERT_EQ(found.cut_off, expected.cut_off) << testing::PrintToString(std::string(text));
  if (!found.valid) {
    ASSERT_EQ(found.code, char32_t{0xFFFD});
  }
}

TEST(Utf8, EveryCodePointIsWrittenAndReadBack) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::array<char, 4> bytes;
    const char* end = write_utf8(code, bytes.data());
    const std::string_view text(bytes.data(), static_cast<size_t>(end - bytes.data()));
    const CodePoint read = decode_utf8(text, 0);
    ASSERT_EQ(read.code, code);
    ASSERT_TRUE(read.valid && !read.cut_off);
    ASSERT_EQ(read.bytes, text.size());
    ASSERT_EQ(valid_utf8_prefix(text), text.size());
    ASSERT_FALSE(continues_utf8(text[0]));
    for (const char byte : text.substr(1)) ASSERT_TRUE(continues_utf8(byte));
  }
}

TEST(Utf8, EverySequenceOfBytesAtTheBounds) {
  const std::string bytes =
      "\x20\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5"
      "\xFF";
  std::string text;
  const auto try_all = [&](auto& self, size_t more) -> void {
    if (!text.empty()) check(text);
    if (more == 0) return;
    for (const char byte : bytes) {
      text.push_back(byte);
      self(self, more - 1);
      text.pop_back();
    }
  };
  try_all(try_all, 4);
}

TEST(Utf8, PartsAndPrefixesAreThoseOfTheDecoder) {
  std::mt19937_64 random(11);
  const std::string_view samples[] = {
      "a",    "plain text",   "ж",        "€",   "😀", "\xE2\x82", "\xF0\x9F\x98",
      "\x80", "\xED\xA0\x80", "\xC0\x80", "\xFF"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (uint64_t i = random() % 12; i > 0; --i) text += samples[random() % std::size(samples)];
    std::string repaired;
    bool valid = true;
    size_t prefix = text.size();
    for (size_t at = 0; at < text.size();) {
      const Expected next = expected_at(std::string_view(text).substr(at));
      if (valid && !next.valid) prefix = at;
      repaired += next.valid ? std::string_view(text).substr(at, next.bytes) : kReplacement;
      valid &= next.valid;
      at += next.bytes;
    }
    std::string parts;
    ASSERT_EQ(each_utf8_part(text, [&](std::string_view part) { parts += part; }), valid);
    ASSERT_EQ(parts, repaired);
    ASSERT_EQ(valid_utf8_prefix(text), prefix);
  }
}

}  // namespace
}  // namespace heron
