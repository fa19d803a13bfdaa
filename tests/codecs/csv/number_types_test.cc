// Columns of every type of number over every form of a number: plain, with blanks, with a decimal
// comma. The same are accepted, with the same values, as std::from_chars accepts.
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "heron/heron.h"
#include "kit/type_of.h"
#include "temp_folder.h"

namespace heron {
namespace {

std::vector<std::string> odd_forms() {
  return {"+",           "-",      ".",        "-.",
          "+.",          "e",      "1e",       "1e+",
          "1e-",         "1ex",    "1e5x",     "1x",
          "x1",          "1.x",    "--1",      "+-1",
          "1..2",        "1.2.3",  ".e1",      "1e5",
          "1E5",         "1e+5",   "1e-5",     "-1e2",
          "1.5e3",       ".5e1",   "5.e1",     "00",
          "-00",         "007",    "0.0",      "-0",
          "+0",          "+7",     "-7",       "1 2",
          "NaN",         "nan",    "inf",      "-inf",
          "+inf",        "1e400",  "Infinity", "-Infinity",
          "-1e400",      "1e-9",   "1e+9",     "1e-0",
          "0e0",         "1e-400", "0e9999",   "1e99999999999",
          "1e0000000001"};
}

// The limits of integers, and what is beside them.
std::vector<std::string> limits() {
  return {"127",
          "128",
          "-128",
          "-129",
          "255",
          "256",
          "32767",
          "32768",
          "-32768",
          "-32769",
          "65535",
          "65536",
          "2147483647",
          "2147483648",
          "-2147483648",
          "-2147483649",
          "4294967295",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "-9223372036854775809",
          "18446744073709551615",
          "18446744073709551616",
          "9999999999999999999",
          "10000000000000000000"};
}

std::vector<std::string> forms() {
  std::vector<std::string> all = odd_forms();
  for (std::string& limit : limits()) all.push_back(std::move(limit));
  // Digits beside each count that is read at once, with the point anywhere.
  for (const char digit : {'1', '9'}) {
    for (const size_t count : {1, 3, 7, 8, 9, 15, 16, 17, 19, 20, 21, 22, 30}) {
      const std::string digits(count, digit);
      for (const char* sign : {"", "-", "+"}) {
        all.push_back(sign + digits);
        for (const size_t whole : {size_t{0}, size_t{1}, count / 2, count - 1, count})
          all.push_back(sign + digits.substr(0, whole) + '.' + digits.substr(whole));
        all.push_back(sign + digits + "e3");
        all.push_back(sign + digits + "x");
      }
    }
  }
  return all;
}

// The number of a text, as the documentation of CsvOptions::types has it.
template <class T>
std::optional<T> plain(const std::string& text) {
  static const std::regex decimal("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  const std::string unsigned_text = text.starts_with('+') ? text.substr(1) : text;
  const char* begin = unsigned_text.data();
  const char* end = begin + unsigned_text.size();
  T value{};
  if constexpr (std::is_floating_point_v<T>) {
    static const std::regex word("nan|NaN|-?(inf|Infinity)");
    if (std::regex_match(text, word)) return static_cast<T>(std::strtod(text.c_str(), nullptr));
    if (!std::regex_match(text, decimal)) return std::nullopt;
    const auto [stop, error] = std::from_chars(begin, end, value);
    return error == std::errc() ? std::optional(value)
                                : std::nullopt;  // nothing if it overflows, or underflows
  } else {
    static const std::regex whole("[+-]?[0-9]+");
    if (!std::regex_match(text, whole)) return std::nullopt;
    if (std::is_unsigned_v<T> && text.find_first_not_of("-0") == std::string::npos)
      return T{0};  // also -0
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end) return std::nullopt;
    return value;
  }
}

template <class T>
class CsvNumberTypes : public testing::Test {
 protected:
  // Returns the number that a file has in its only field, nothing if the file is refused.
  std::optional<T> read_field(const std::string& field, char decimal) const {
    CsvOptions csv;
    csv.separator = ';';
    csv.decimal = decimal;
    csv.types = {{"x", type_of<T>()}};
    const std::string path = folder_.write("x.csv", "x;y\n" + field + ";1\n");
    try {
      const auto table =
          open(path, {.format = "csv", .format_options = csv.format_options()})->table();
      const uint64_t column = 0;
      const RowBatch batch = read(Projection(table, std::span(&column, 1)), {0, 1});
      EXPECT_FALSE(batch.columns[0].is_null(0)) << field;
      return batch.columns[0].get<T>(0);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  static void expect_same(std::optional<T> got, std::optional<T> expected,
                          const std::string& field) {
    ASSERT_EQ(got.has_value(), expected.has_value())
        << type_of<T>().name() << " \"" << field << '"';
    if (!got || (*got != *got && *expected != *expected)) return;
    EXPECT_EQ(*got, *expected) << type_of<T>().name() << " \"" << field << '"';
  }

  test::TempFolder folder_;
};

using NumberTypes = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
                                   uint64_t, float, double>;
TYPED_TEST_SUITE(CsvNumberTypes, NumberTypes);

TYPED_TEST(CsvNumberTypes, TakeTheSameFormsOfNumbers) {
  for (const std::string& form : forms()) {
    const auto expected = plain<TypeParam>(form);
    this->expect_same(this->read_field(form, '.'), expected, form);
    this->expect_same(this->read_field(" " + form + "\t", '.'), expected, form);
    std::string with_comma = form;
    for (char& letter : with_comma) letter = letter == '.' ? ',' : letter;
    this->expect_same(this->read_field(with_comma, ','), expected, with_comma);
  }
}

}  // namespace
}  // namespace heron
