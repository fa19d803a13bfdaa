// Each cell of the documented table of type support equals the format's write support.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/fail.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/convert.h"
#include "heron/error.h"

namespace heron {
namespace {

using Null = TypeSupport::Nulls;

// Returns the words of a line that are two spaces or more apart.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find("  ", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return words;
}

// Reads the next paragraph: first the tables, then the lines about formats as a whole.
std::vector<std::vector<std::string>> paragraph(std::istringstream& text) {
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(text, line) && !line.empty();) {
    EXPECT_LE(line.size(), 80) << line;
    lines.push_back(words_of(line));
  }
  return lines;
}

const Format& format_of(const std::string& name) {
  const auto all = formats();
  return *std::find_if(all.begin(), all.end(), [&](const Format& one) { return one.name == name; });
}

Type type_of(const std::string& name) {
  static const std::map<std::string, Type> others = {{"key", Type::key(Type::UInt8, 9)},
                                                     {"decimal", Type::decimal(9, 2)},
                                                     {"binary", Type::Binary},
                                                     {"timestamp[us]", Type::timestamp(Type::Microsecond)},
                                                     {"timestamp[us, UTC]", Type::timestamp(Type::Microsecond, "UTC")},
                                                     {"duration[us]", Type::duration(Type::Microsecond)},
                                                     {"time", Type::Time},
                                                     {"list", Type::list(Type::Bool)},
                                                     {"vector", Type::vector(Type::Int32, 2)}};
  const auto other = others.find(name);
  if (other != others.end()) return other->second;
  for (int id = Type::Null; id <= Type::RowId; ++id) {
    const auto one = static_cast<Type::Id>(id);
    if (one != Type::List && one != Type::LargeList && Type(one).name() == name) return one;
  }
  ADD_FAILURE() << name;
  return Type::Null;
}

TEST(WhatFitsWhere, SaysWhatTheFormatsSay) {
  std::istringstream text(what_fits_where());
  auto table = paragraph(text);
  auto next = paragraph(text);
  for (; next.front().front() == "type"; next = paragraph(text)) {  // joins it side by side
    ASSERT_EQ(next.size(), table.size());
    for (size_t line = 0; line < table.size(); ++line) {
      ASSERT_EQ(next[line].front(), table[line].front());
      table[line].insert(table[line].end(), next[line].begin() + 1, next[line].end());
    }
  }
  std::map<std::string, std::string> remarks;
  for (const auto& line : next) remarks[line[0]] += line.back();

  const std::vector<std::string>& names = table.front();
  EXPECT_EQ(table.size(), 1 + 28);
  for (size_t column = 1; column < names.size(); ++column) {
    const WriteSupport& write_support = *format_of(names[column]).write_support;
    const std::string& remark = remarks[names[column]];
    for (size_t line = 1; line < table.size(); ++line) {
      SCOPED_TRACE(concat(names[column], ' ', table[line][0]));
      const Type type = type_of(table[line][0]);
      const TypeSupport support = write_support.type_support(type);
      const std::string& cell = table[line].at(column);
      EXPECT_EQ(cell == "no", !support.read_as.has_value());
      if (!support.read_as) continue;
      const std::string as = *support.read_as == type ? "" : concat("as ", support.read_as->name());
      EXPECT_EQ(cell.substr(0, as.size()), as);
      EXPECT_EQ(cell.find("null as NaN") != cell.npos, support.nulls == Null::AsNaN);
      const bool refused =
          cell.find("not null") != cell.npos || remark.find("no nulls") != remark.npos;
      EXPECT_EQ(refused, support.nulls == Null::Refused);
      EXPECT_TRUE(!support.nan_is_null || remark.find("NaN") != remark.npos);
    }
    EXPECT_EQ(remark.find("one type") != remark.npos, write_support.one_type);
    EXPECT_EQ(remark.find("keys") != remark.npos, write_support.keys);
    EXPECT_EQ(remark.find("group") != remark.npos, write_support.roles);
    EXPECT_EQ(remark.find("rounded") != remark.npos, write_support.expected_loss != nullptr);
  }
  for (const Format& format : formats()) {
    const auto column = std::find(names.begin(), names.end(), format.name);
    const bool stores_types = format.write_support != nullptr && format.write_support->types;
    EXPECT_EQ(column != names.end(), stores_types) << format.name;
  }
}

}  // namespace
}  // namespace heron
