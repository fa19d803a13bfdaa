// csv_rows() against a plain reader, on made-up files: fields of every kind, quotes, separators and
// line ends at every offset of the blocks and pieces that are parsed together.
#include <gtest/gtest.h>

#include <random>

#include "heron/csv.h"
#include "kit/plain_csv.h"

namespace heron {
namespace {

class RandomCsv {
 public:
  explicit RandomCsv(uint64_t seed) : random_(seed) {}

  uint64_t below(uint64_t bound) { return random_() % bound; }

  // Makes a file with quotes where they are required and sometimes elsewhere; a few files are
  // invalid.
  std::string file(uint64_t rows, bool damage) {
    const uint64_t columns = 1 + below(6);
    std::vector<uint64_t> kinds(columns);
    for (uint64_t& kind : kinds) kind = below(9);
    const std::string line_end = std::array{"\n", "\r\n", "\r"}[below(3)];
    std::string text = below(4) == 0 ? "\xEF\xBB\xBF" : "";
    for (uint64_t row = 0; row <= rows; ++row) {
      for (uint64_t i = 0; i < columns; ++i) {
        if (i > 0) text += ',';
        text += written(row == 0 ? words() : spaced(field(kinds[i])));
      }
      if (row < rows || below(2) == 0) text += line_end;
      if (below(200) == 0) text += "\n";
    }
    for (; damage; damage = below(2) == 0) {
      text[below(text.size())] = "\",\r\n0x-e"[below(8)];
    }
    return text;
  }
  std::string noise(uint64_t parts) {
    static constexpr std::array kParts{"\"", ",",   "\n",         "\r", "\r\n", "\"\"", "1", "-0",
                                       "x",  "1e5", "2020-02-29", "NA", "true", ";",    "\0"};
    std::string text;
    for (uint64_t i = 0; i < parts; ++i) {
      text += kParts[below(kParts.size())];
      if (below(8) == 0) text.append(below(70), 'y');
    }
    return text;
  }

 private:
  std::string written(const std::string& field) {
    const bool must = field.find_first_of(",\r\n") != std::string::npos || field.starts_with('"');
    if (!must && below(10) != 0) return field;
    std::string quoted = "\"";
    for (const char c : field) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
  }
  std::string words() {
    std::string text;
    for (uint64_t i = below(5); i > 0; --i) {
      text += std::array{"a", "\"", ",", "\r\n", "\xC3\xA9", "some words", "NULL", " "}[below(8)];
    }
    if (below(20) == 0) text.append(below(300), 'z');
    return text;
  }
  std::string digits(uint64_t most) {
    std::string text;
    for (uint64_t i = 1 + below(most); i > 0; --i) text += static_cast<char>('0' + below(10));
    return text;
  }
  std::string field(uint64_t kind) {
    if (below(12) == 0) return std::array{"", "NA", "null"}[below(3)];
    if (below(300) == 0) kind = below(9);
    const std::string sign = below(3) == 0 ? "-" : "";
    switch (kind) {
      case 0: return std::to_string(static_cast<int32_t>(random_()));
      case 1: return sign + std::to_string(random_() >> (1 + below(60)));
      case 2: return sign + std::to_string(below(100)) + '.' + digits(20);
      case 3: return sign + "1." + digits(9) + 'e' + std::to_string(below(300));
      case 4: return std::array{"true", "false", "TRUE", "False"}[below(4)];
      case 5: return "20" + two(100) + '-' + two(12, 1) + '-' + two(28, 1);
      case 6:
        return "20" + two(100) + '-' + two(12, 1) + '-' + two(28, 1) + 'T' + two(24) + ':' +
               two(60) + ':' + two(60) + (below(2) == 0 ? "" : '.' + digits(9));
      case 7:
        return "20" + two(100) + '-' + two(12, 1) + '-' + two(28, 1) + ' ' + two(24) + ':' +
               two(60) + ':' + two(60) +
               std::array{"Z", "+00:00", "-0330", "+14", "+14:01"}[below(below(30) == 0 ? 5 : 4)];
      default: return words();
    }
  }
  std::string spaced(std::string text) {
    if (below(8) == 0) text.insert(0, 1 + below(2), ' ');
    if (below(8) == 0) text += std::array{" ", "\t"}[below(2)];
    return text;
  }
  std::string two(uint64_t bound, uint64_t least = 0) {
    const uint64_t value = least + below(bound);
    return {static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
  }

  std::mt19937_64 random_;
};

CsvOptions options(bool header) {
  CsvOptions options;
  options.separator = ',';
  options.header = header;
  return options;
}

void expect_agreement(const std::string& text, bool header) {
  ASSERT_EQ(disagreement(text, options(header)), "") << (text.size() < 3000 ? text : "");
}

TEST(CsvProperty, SmallFiles) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    RandomCsv random(seed);
    SCOPED_TRACE(seed);
    expect_agreement(random.file(random.below(40), false), seed % 5 != 0);
  }
}

TEST(CsvProperty, DamagedFiles) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    RandomCsv random(seed);
    SCOPED_TRACE(seed);
    expect_agreement(random.file(random.below(20), true), seed % 5 != 0);
    expect_agreement(random.noise(random.below(40)), seed % 2 != 0);
  }
}

// The files are larger than the pieces they are read in, and have more records than a batch.
TEST(CsvProperty, LargeFiles) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    expect_agreement(RandomCsv(seed).file(25'000, false), true);
  }
}

TEST(CsvProperty, EveryOffsetInABlock) {
  for (uint64_t before = 0; before < 130; ++before) {
    const std::string text =
        std::string(before, 'h') + ",b\r\n\"x\r\n\"\"\",\"\"\r\n1\"2,3\r\r\n4,5";
    expect_agreement(text, true);
  }
}

// Line ends, doubled quotes and records cross the end of a piece.
TEST(CsvProperty, EveryOffsetAtAPiecesEnd) {
  constexpr uint64_t kPiece = uint64_t{512} << 10;
  for (uint64_t before = 0; before < 24; ++before) {
    const std::string text = "a,b\n" + std::string(kPiece - 24 + before, 'x') +
                             ",\"y\"\"\r\n\"\"\"\r\n\"\",2\r\n3,4\r\n";
    expect_agreement(text, true);
  }
}

TEST(CsvProperty, RecordsOfSeveralPieces) {
  const std::string text = "a,b\n1,\"" + std::string(1'300'000, '\n') + "\"\n2,x\n" +
                           std::string(3'000'000, ' ') + ",\n";
  expect_agreement(text, true);
}

}  // namespace
}  // namespace heron
