// Text blocks against a slow reference that decodes UTF-8 by trying.
#include "idv/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/arena.h"
#include "base/fail.h"
#include "bytes/memory_source.h"
#include "error_of.h"
#include "kit/effort.h"

namespace heron {
namespace {

using idv::NullTexts;
using Bytes = std::vector<std::byte>;
using std::string_literals::operator""s;

constexpr uint32_t kTop = 0x80000000;

// ---- the reference

// Returns whether the bytes are one character, by the code point they make.
bool is_character(const std::string& bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (bytes.size() != length) return false;
  uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if ((byte & 0xC0) != 0x80) return false;
    code = code << 6 | (byte & 0x3F);
  }
  constexpr uint32_t kMinimum[] = {0, 0, 0x80, 0x800, 0x10000};
  return lead < 0xF8 && code >= kMinimum[length] && code <= 0x10FFFF &&
         (code < 0xD800 || code > 0xDFFF);
}

// Returns whether more bytes could make a character of these; remembers the answers.
bool could_go_on(const std::string& bytes) {
  if (bytes.size() >= 4) return false;
  static std::map<std::string, bool> known;
  const auto [at, is_new] = known.try_emplace(bytes, false);
  if (is_new) {
    at->second = std::ranges::any_of(std::string_view("\x80\x8F\x90\x9F\xA0\xBF"), [&](char next) {
      return is_character(bytes + next) || could_go_on(bytes + next);
    });
  }
  return at->second;
}

// Returns the offset at which each UTF-16 unit starts, and the end of the last.
std::vector<uint32_t> units_of(const std::string& text) {
  std::vector<uint32_t> starts;
  size_t at = 0;
  while (at < text.size()) {
    size_t length = 1;
    while (
        at + length < text.size() && !is_character(text.substr(at, length)) &&
        could_go_on(text.substr(at, length)) &&
        (is_character(text.substr(at, length + 1)) || could_go_on(text.substr(at, length + 1)))) {
      ++length;
    }
    const std::string part = text.substr(at, length);
    if (at + length == text.size() && !is_character(part) && could_go_on(part)) break;
    starts.push_back(static_cast<uint32_t>(at));
    if (length == 4) starts.push_back(static_cast<uint32_t>(at + 3));
    at += length;
  }
  starts.push_back(static_cast<uint32_t>(at));
  return starts;
}

// ---- blocks

void append_u32(Bytes& bytes, uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::byte>(value >> 8 * i));
}

Bytes block_of(const std::vector<uint32_t>& boundaries, const std::string& text) {
  Bytes block;
  append_u32(block, static_cast<uint32_t>(boundaries.size()));
  for (const uint32_t boundary : boundaries) append_u32(block, boundary);
  uint64_t length = text.size();
  for (; length >= 0x80; length >>= 7) block.push_back(static_cast<std::byte>(length | 0x80));
  block.push_back(static_cast<std::byte>(length));
  for (const char c : text) block.push_back(static_cast<std::byte>(c));
  return block;
}

constexpr idv::BlockPosition kBlock{"some.idv", "t", {}, 7, 4096};

// Returns the texts of a block, read through its column; the block may be at any offset, and bytes
// may follow it. It has its own memory, so that a sanitizer sees reads outside.
std::vector<std::string> texts_of(const Bytes& block, uint64_t rows,
                                  NullTexts nulls = NullTexts::Empty, uint64_t at = 3) {
  Bytes memory(at);
  memory.insert(memory.end(), block.begin(), block.end());
  memory.shrink_to_fit();
  const idv::TextLayout layout =
      idv::index_texts(std::span(memory).subspan(at), rows, nulls, kBlock);
  const MemorySource source("some.idv", memory);
  const ColumnPtr column = idv::text_column(rows, {"t", "TextSpan"}, source, at, layout, nulls);
  Arena arena;
  const Values values = column->read({0, rows}, arena, Context{});
  std::vector<std::string> texts;
  for (uint64_t row = 0; row < rows; ++row) {
    texts.emplace_back(values.is_null(row) ? "(null)" : values.text(row));
  }
  return texts;
}

std::vector<std::string> texts_of(const std::vector<uint32_t>& boundaries, const std::string& text,
                                  NullTexts nulls = NullTexts::Empty) {
  return texts_of(block_of(boundaries, text), boundaries.size(), nulls);
}

std::string error_of_block(const Bytes& block, uint64_t rows) {
  return test::error_of([&] { texts_of(block, rows); }).what();
}

// Returns a text of any length, so that pieces and words end everywhere.
std::string random_text(std::mt19937& random, bool well_formed) {
  const unsigned kind = static_cast<unsigned>(random() % 4);
  const unsigned count =
      static_cast<unsigned>(random() % 16 == 0 ? random() % 6'000 : random() % 90);
  const std::string characters[] = {"a",
                                    "z",
                                    "\xC3\xA9",
                                    "\xED\x9F\xBF",
                                    "\xE2\x82\xAC",
                                    "\xEE\x80\x80",
                                    "\xE0\xA0\x80",
                                    "\xF0\x9F\x98\x80",
                                    "\xF0\x90\x80\x80",
                                    "\xF4\x8F\xBF\xBF",
                                    "\0"s};
  const unsigned char bytes[] = {0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                                 0xE0, 0xE1, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
  const size_t different = kind == 0 ? 2 : kind == 1 ? 3 : std::size(characters);
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += characters[random() % different];
    if (!well_formed && random() % (count < 40 ? 3 : 500) == 0) {
      text += static_cast<char>(bytes[random() % std::size(bytes)]);
    }
  }
  return text;
}

// Returns some of 0 .. last, ascending, and last at the end.
std::vector<uint32_t> random_boundaries(std::mt19937& random, uint32_t last) {
  std::vector<uint32_t> boundaries;
  for (uint64_t i = random() % 40; i > 0; --i) boundaries.push_back(random() % (last + 1));
  boundaries.push_back(last);
  std::ranges::sort(boundaries);
  return boundaries;
}

TEST(IdvText, RandomTextsAreCutAsTheReferenceCutsThem) {
  std::mt19937 random(5);
  for (uint64_t round = 0; round < tries(500); ++round) {
    const std::string text = random_text(random, round % 2 == 0);
    const std::vector<uint32_t> units = units_of(text);
    const std::vector<uint32_t> boundaries =
        random_boundaries(random, static_cast<uint32_t>(units.size() - 1));
    std::vector<std::string> expected;
    uint32_t start = 0;
    for (const uint32_t boundary : boundaries) {
      expected.push_back(text.substr(start, units[boundary] - start));
      start = units[boundary];
    }
    ASSERT_EQ(
        texts_of(block_of(boundaries, text), boundaries.size(), NullTexts::Empty, random() % 4),
        expected)
        << "round " << round;
  }
}

TEST(IdvText, IllFormedPartsHaveTheUnitsOfTheReferenceProgram) {
  const std::pair<std::string, uint32_t> cases[] = {
      {"\xC3\x28", 2},         {"\xE2\x28\xA1", 3}, {"\xED\xA0\x80", 3}, {"\xC0\x80", 2},
      {"\xF0\x9F\x98x", 2},    {"\xC3", 0},         {"\xE2\x82", 0},     {"\xF0\x82\x82\xAC", 4},
      {"\xF5\x80\x80\x80", 4}, {"\xE2\x82x", 2},    {"a\xF0\x9F\x98", 1}};
  for (const auto& [text, units] : cases) {
    EXPECT_EQ(texts_of({units}, text).size(), 1u);
    EXPECT_THAT(error_of_block(block_of({units + 1}, text), 1),
                testing::EndsWith(concat("expected characters of ", units + 1,
                                         " UTF-16 units as the last boundary says, got ", units)));
  }
  // A character that is cut off at the end belongs to no text.
  EXPECT_EQ(texts_of({1, 1}, "a\xE2\x82"), (std::vector<std::string>{"a", ""}));
}

TEST(IdvText, APairCutInTwoIsThreeBytesAndOne) {
  EXPECT_EQ(texts_of({2, 4}, "x\xF0\x9F\x98\x80y"),
            (std::vector<std::string>{"x\xF0\x9F\x98", "\x80y"}));
  // The last byte of the character may be in the next 64.
  for (unsigned before = 58; before < 66; ++before) {
    const std::string many(before, '-');
    EXPECT_EQ(texts_of({before + 1, before + 3}, many + "\xF0\x9F\x98\x80y"),
              (std::vector<std::string>{many + "\xF0\x9F\x98", "\x80y"}));
  }
}

TEST(IdvText, NullTextsAreKeptOrEmpty) {
  const std::vector<uint32_t> boundaries{kTop, 1, 1 | kTop, 3, 3, 3 | kTop};
  for (const std::string text : {"abc", "\xC3\xA9uv"}) {
    const std::string first = text.substr(0, text.size() - 2), rest = text.substr(text.size() - 2);
    EXPECT_EQ(texts_of(boundaries, text, NullTexts::Stored),
              (std::vector<std::string>{"(null)", first, "(null)", rest, "", "(null)"}));
    EXPECT_EQ(texts_of(boundaries, text), (std::vector<std::string>{"", first, "", rest, "", ""}));
  }
  EXPECT_THAT(error_of_block(block_of({1, 2 | kTop, 3}, "abc"), 3),
              testing::EndsWith("text 1 is null: expected the boundary before, 1, got 2"));
}

TEST(IdvText, DamageIsNamed) {
  EXPECT_EQ(error_of_block(block_of({2, 1}, "ab"), 2),
            "some.idv: block 7 of column \"t\" at byte 4096: text 1: expected a boundary of at "
            "least 2, got 1");
  EXPECT_THAT(error_of_block(block_of({1}, "ab"), 1), testing::HasSubstr("of 1 UTF-16 units"));
  EXPECT_THAT(error_of_block(block_of({3}, "ab"), 1), testing::HasSubstr("of 3 UTF-16 units"));
  EXPECT_THAT(error_of_block(block_of({}, "a"), 0), testing::HasSubstr("of 0 UTF-16 units"));
  EXPECT_THAT(error_of_block(block_of({1}, "a"), 2), testing::EndsWith("expected 2 texts, got 1"));
  Bytes negative = block_of({}, "");
  negative[3] = std::byte{0x80};
  EXPECT_THAT(error_of_block(negative, uint64_t{1} << 31),
              testing::EndsWith("expected 2147483648 texts, got -2147483648"));
  EXPECT_EQ(texts_of({}, ""), std::vector<std::string>{});
}

// Lengths of up to 5 bytes are valid, minimal or not, unless they are negative numbers of 32 bits.
TEST(IdvText, LengthsAreAsTheReferenceProgramTakesThem) {
  const auto with_length = [](std::initializer_list<unsigned> length) {
    Bytes block;
    append_u32(block, 1);
    append_u32(block, 1);
    for (const unsigned byte : length) block.push_back(static_cast<std::byte>(byte));
    block.push_back(std::byte{'a'});
    return block;
  };
  for (const Bytes& block :
       {with_length({1}), with_length({0x81, 0}), with_length({0x81, 0x80, 0x80, 0x80, 0}),
        with_length({0x81, 0x80, 0x80, 0x80, 0x70})}) {
    EXPECT_EQ(texts_of(block, 1), std::vector<std::string>{"a"});
  }
  EXPECT_THAT(error_of_block(with_length({2}), 1),
              testing::EndsWith("expected 2 bytes of characters, got 1"));
  for (const Bytes& block : {with_length({0x81, 0x80, 0x80, 0x80, 0x80, 0}),
                             with_length({0x81, 0x80, 0x80, 0x80, 0x08})}) {
    EXPECT_THAT(error_of_block(block, 1), testing::HasSubstr("at most 2147483647 in at most 5"));
  }
}

TEST(IdvText, ABlockCutShortIsRefusedAndMoreBytesBehindAreNot) {
  const Bytes block = block_of({1, 2, 6}, "a\xC3\xA9\xF0\x9F\x98\x80xy");
  for (uint64_t end = 0; end < block.size(); ++end) {
    const Bytes cut(block.begin(), block.begin() + static_cast<ptrdiff_t>(end));
    EXPECT_EQ(test::error_of([&] { texts_of(cut, 3); }).kind(), ErrorKind::Corrupt) << end;
  }
  Bytes longer = block;
  longer.insert(longer.end(), 5, std::byte{0xFF});
  EXPECT_EQ(texts_of(longer, 3), (std::vector<std::string>{"a", "\xC3\xA9", "\xF0\x9F\x98\x80xy"}));
}

Bytes appended(const std::vector<std::string>& texts) {
  std::string joined;
  std::vector<uint64_t> ends;
  for (const std::string& text : texts) ends.push_back((joined += text).size());
  Bytes block(1);
  idv::append_texts(ends, std::as_bytes(std::span(joined)), block);
  return {block.begin() + 1, block.end()};
}

TEST(IdvText, WhatIsWrittenIsReadBack) {
  std::mt19937 random(6);
  for (uint64_t round = 0; round < tries(25); ++round) {
    std::vector<std::string> texts(random() % 50);
    std::vector<uint32_t> boundaries;
    std::string joined;
    uint32_t units = 0;
    for (std::string& text : texts) {
      joined += text = random_text(random, true);
      units += static_cast<uint32_t>(units_of(text).size() - 1);
      boundaries.push_back(units);
      if (joined.size() > 20'000) break;
    }
    texts.resize(boundaries.size());
    const Bytes block = appended(texts);
    ASSERT_EQ(block, block_of(boundaries, joined));
    ASSERT_EQ(texts_of(block, texts.size()), texts);
  }
}

TEST(IdvText, WhatIsNoUtf8IsWrittenAsReplacements) {
  const std::string r = "\xEF\xBF\xBD";
  const std::vector<std::string> texts{"a\xFF", "\xF0\x9F\x98", "\x80y",
                                       "",      "\xED\xA0\x80", "\xC3\xA9"};
  EXPECT_EQ(texts_of(appended(texts), texts.size()),
            (std::vector<std::string>{"a" + r, r, r + "y", "", r + r + r, "\xC3\xA9"}));
  EXPECT_EQ(texts_of(appended({"\xC3", "\xA9"}), 2), (std::vector<std::string>{r, r}));
}

}  // namespace
}  // namespace heron
