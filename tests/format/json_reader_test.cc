// The strings and numbers of JSON, and each way in which a text is not JSON.
#include "format/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

const std::string kFile = "made";

std::string string_of(std::string_view text) {
  JsonReader reader(text, kFile, 8, "header");
  std::string string = reader.string();
  reader.end();
  return string;
}
uint64_t natural_of(std::string_view text) {
  JsonReader reader(text, kFile, 8, "header");
  const uint64_t number = reader.natural();
  reader.end();
  return number;
}
void skip_all(std::string_view text) {
  JsonReader reader(text, kFile, 8, "header");
  reader.skip();
  reader.end();
}
template <class Read>
std::string fault_of(std::string_view text, Read read) {
  return error_of(ErrorKind::Corrupt, [&] { read(text); });
}

TEST(JsonReader, StringsAreDecoded) {
  EXPECT_EQ(string_of(R"("")"), "");
  EXPECT_EQ(string_of(R"(  "a b" )"), "a b");
  EXPECT_EQ(string_of(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(string_of(R"("x\u0041\u00e9\u4E2d\ud83d\ude00y")"), "xA\u00e9\u4e2d\U0001F600y");
  EXPECT_EQ(string_of("\"\u00e9\U0001F600\""), "\u00e9\U0001F600");
  EXPECT_EQ(string_of(R"("a\u0000b")"), std::string("a\0b", 3));
}

TEST(JsonReader, StringsThatAreNone) {
  for (const char* text : {"",
                           "a",
                           "'a'",
                           "\"a",
                           "\"a\\",
                           "\"a\\\"",
                           R"("\x")",
                           R"("\u12")",
                           R"("\u12g4")",
                           R"("\u+123")",
                           R"("\ud83d")",
                           R"("\ud83dx")",
                           R"("\ud83d\n")",
                           R"("\ud83dA")",
                           R"("\ude00")",
                           R"("\ud83d\ud83d")",
                           "\"a\nb\"",
                           "\"\xff\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xc3\""}) {
    EXPECT_THAT(fault_of(text, string_of), HasSubstr("made: header at byte ")) << text;
  }
  EXPECT_THAT(fault_of("\"ab\x01\"", string_of), HasSubstr("at byte 11: "));
  EXPECT_THAT(fault_of(R"("ab" x)", string_of), HasSubstr("end of the header, got 'x'"));
}

TEST(JsonReader, NumbersAreWhole) {
  EXPECT_EQ(natural_of("0"), 0u);
  EXPECT_EQ(natural_of(" 18446744073709551615\n"), UINT64_MAX);
  for (const char* text : {"", "-1", "-0", "+1", "01", "00", "1.0", "1e3", "1E3", ".5", "x",
                           "18446744073709551616", "99999999999999999999999", "1 2", "\"1\""}) {
    EXPECT_THAT(fault_of(text, natural_of), HasSubstr("expected ")) << text;
  }
}

TEST(JsonReader, AnyValueIsSkipped) {
  for (const char* text : {"0", "-0.5e+10", "1E-2", "true", "false", "null", R"("a\"")", "[]", "{}",
                           "[1, [2, {}], \"]\"]", R"({"a": {"b" : [ ]}, "c": null })"}) {
    EXPECT_NO_THROW(skip_all(text)) << text;
  }
  for (const char* text : {"",        "-",        "01",         "1.",        "1e",
                           "tru",     "nul",      "[",          "]",         "[1",
                           "[1,]",    "[,1]",     "[1 2]",      "{",         "{1:2}",
                           "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":1 \"b\":2}",
                           "{]",      "[}",       "+1",         "Infinity"}) {
    EXPECT_THAT(fault_of(text, skip_all), HasSubstr("expected ")) << text;
  }
}

TEST(JsonReader, DepthIsLimited) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_NO_THROW(skip_all(nested(128)));
  EXPECT_THAT(fault_of(nested(129), skip_all), HasSubstr("at most 128 values"));
  EXPECT_THAT(fault_of(std::string(1'000'000, '['), skip_all), HasSubstr("at most 128 values"));
}

}  // namespace
}  // namespace heron
