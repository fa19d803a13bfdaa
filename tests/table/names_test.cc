// Names as stored become names that people can use.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kit/made_table.h"

namespace heron {
namespace {

using Strings = std::vector<std::string>;

std::shared_ptr<const Table> table_named(const Strings& stored) {
  TableMaker maker(1);
  for (const std::string& name : stored) maker.null(name);
  return maker.table();
}
Strings repaired(const Strings& stored) {
  const auto table = table_named(stored);
  Strings names;
  for (uint64_t i = 0; i < stored.size(); ++i) {
    names.push_back(table->column_name(i));
    EXPECT_EQ(table->find_column(names.back()), i) << names.back();
  }
  return names;
}

TEST(Names, ThatAreFineStay) {
  EXPECT_EQ(repaired({"a", "b c", "\xc3\xa4", "`", "\x7f"}),
            (Strings{"a", "b c", "\xc3\xa4", "`", "\x7f"}));
}

TEST(Names, ThatAreEmptySayThePosition) {
  EXPECT_EQ(repaired({"", "x", ""}), (Strings{"c0", "x", "c2"}));
}

TEST(Names, MadeForEmptyOnesMayBeTaken) {
  EXPECT_EQ(repaired({"c1", ""}), (Strings{"c1", "c1.1"}));
  EXPECT_EQ(repaired({"", "c0"}), (Strings{"c0", "c0.1"}));
}

TEST(Names, HaveADotForARunOfControlCharacters) {
  using namespace std::string_literals;
  EXPECT_EQ(repaired({"a\x01\n\tb", "\x1f", "x\0y\0"s}), (Strings{"a.b", ".", "x.y."}));
}

TEST(Names, ThatBecomeEqualAreTold) {
  EXPECT_EQ(repaired({"a\x01", "a\x02", "a."}), (Strings{"a.", "a..1", "a..2"}));
}

TEST(Names, ThatAreTakenGetTheNextFreeNumber) {
  EXPECT_EQ(repaired({"a", "a", "b", "a"}), (Strings{"a", "a.1", "b", "a.2"}));
  EXPECT_EQ(repaired({"a", "a.1", "a", "a"}), (Strings{"a", "a.1", "a.2", "a.3"}));
  EXPECT_EQ(repaired({"a", "a", "a.1", "a"}), (Strings{"a", "a.1", "a.1.1", "a.2"}));
}

TEST(Names, ThatAreAllTheSameTakeNoLongTime) {
  const auto table = table_named(Strings(100'000, "same"));
  EXPECT_EQ(table->column_name(99'999), "same.99999");
}

TEST(Names, ThatAreNotThereAreNotFound) {
  const auto table = table_named({"a", "b"});
  EXPECT_EQ(table->find_column("c"), std::nullopt);
  EXPECT_EQ(table->find_column(""), std::nullopt);
  EXPECT_EQ(table_named({})->find_column("a"), std::nullopt);
}

}  // namespace
}  // namespace heron
