// The pager without a terminal: what the screen shows after keys; and the rows that it shows,
// against plain loops.
#include "view/pager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <clocale>
#include <random>
#include <string>
#include <vector>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/file.h"
#include "heron/scan.h"
#include "heron/table.h"
#include "kit/real_files.h"
#include "temp_folder.h"
#include "view/shown_rows.h"

namespace heron::cli {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kUp = "\x1b[A", kDown = "\x1b[B", kRight = "\x1b[C", kLeft = "\x1b[D",
                           kPageDown = "\x1b[6~", kPageUp = "\x1b[5~", kHome = "\x1b[H",
                           kEnd = "\x1bOF", kEnter = "\r", kEscape = "\x1b", kBackspace = "\x7f";

// A pager over a file, on a screen of the given size.
class View {
 public:
  View(const std::string& path, ScreenSize size)
      : size_(size),
        opened_(open(path)),
        pager_({.title = "file",
                .columns = Projection(opened_->table()),
                .skipped = &skipped_},
               [this](std::string_view, const ViewTask& task) {
                 Context context;
                 context.cancel = &cancel;
                 task(context);
               }) {}

  // Returns false if a key ended the view.
  bool type(std::string_view bytes) {
    std::string typed(bytes);
    while (const std::optional<Key> key = take_key(typed, true)) {
      if (!pager_.press(*key, size_)) return false;
    }
    return true;
  }
  std::vector<std::string> lines() {
    std::vector<std::string> all;
    for (const ScreenLine& line : pager_.screen(size_).lines) all.push_back(text_of(line));
    return all;
  }
  std::vector<std::string> lines_after(std::string_view bytes) {
    EXPECT_TRUE(type(bytes));
    return lines();
  }
  std::string status() { return lines().back(); }
  void resize(ScreenSize size) { size_ = size; }
  Screen screen() { return pager_.screen(size_); }

  std::atomic<bool> cancel{false};

 private:
  ScreenSize size_;
  SkippedRows skipped_;
  std::shared_ptr<const File> opened_;
  Pager pager_;
};

class ViewTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(std::setlocale(LC_CTYPE, "C.UTF-8"), nullptr); }

  // Writes rows 0 .. count-1: id, a tenth of it backwards, a name.
  std::string numbers(uint64_t count) {
    std::string text = "id,tens,name\n";
    for (uint64_t i = 0; i < count; ++i) {
      text += concat(i, ',', (count - i) / 10, ",name ", i, '\n');
    }
    return folder_.write("numbers.csv", text);
  }
  std::string csv(std::string_view text) { return folder_.write("rows.csv", text); }

  test::TempFolder folder_;
};

std::vector<Key::Name> names_of(std::string bytes) {
  std::vector<Key::Name> names;
  while (const std::optional<Key> key = take_key(bytes, true)) names.push_back(key->name);
  return names;
}

TEST(ViewKeys, AreDecoded) {
  EXPECT_THAT(names_of("\x1b[A\x1bOB\x1b[1;5C\x1b[D"),
              ElementsAre(Key::Up, Key::Down, Key::Right, Key::Left));
  EXPECT_THAT(names_of("\x1b[5~\x1b[6~\x1b[1~\x1b[4~\x1b[H\x1bOF\x1b[3~"),
              ElementsAre(Key::PageUp, Key::PageDown, Key::Home, Key::End, Key::Home, Key::End,
                          Key::Delete));
  EXPECT_THAT(names_of("\r\x7f\x1b"), ElementsAre(Key::Enter, Key::Backspace, Key::Escape));
  EXPECT_THAT(names_of("\x1b[99Z\xff"), ElementsAre(Key::Unknown, Key::Unknown));
  std::string typed = "\x03q\xc3\xa9";
  EXPECT_TRUE(take_key(typed, false)->is_control("c"));
  EXPECT_TRUE(take_key(typed, false)->is_text("q"));
  EXPECT_TRUE(take_key(typed, false)->is_text("é"));
  EXPECT_EQ(take_key(typed, true), std::nullopt);
}

TEST(ViewKeys, WaitForTheirBytes) {
  for (const std::string_view whole : {"\x1b[5~", "\x1bOF", "\xe6\x97\xa5"}) {
    for (size_t bytes = 1; bytes < whole.size(); ++bytes) {
      std::string typed(whole.substr(0, bytes));
      EXPECT_EQ(take_key(typed, false), std::nullopt) << bytes;
      EXPECT_EQ(typed.size(), bytes);
    }
  }
}

TEST(ViewLineEdit, EditsCharacters) {
  LineEdit line("price");
  const auto press = [&](std::string bytes) {
    LineEdit::Outcome outcome = LineEdit::Outcome::Open;
    while (const std::optional<Key> key = take_key(bytes, true)) outcome = line.press(*key);
    return outcome;
  };
  press(" > 日é");
  EXPECT_EQ(line.text(), "price > 日é");
  press("\x7f\x7f" "3");
  EXPECT_EQ(line.text(), "price > 3");
  press("\x1b[H\x1b[3~P\x1b[C\x1b[C\x0b");  // Home, Delete, Right, Right, Ctrl-K
  EXPECT_EQ(line.text(), "Pri");
  press("ce is null\x17\x17");
  EXPECT_EQ(line.text(), "Price ");
  EXPECT_EQ(press("\x15"), LineEdit::Outcome::Open);
  EXPECT_EQ(press("\x7f"), LineEdit::Outcome::Dropped);
  EXPECT_EQ(press("\r"), LineEdit::Outcome::Done);
  EXPECT_EQ(press("\x1b"), LineEdit::Outcome::Dropped);
}

TEST_F(ViewTest, ShowsRowsUnderTheirHeadings) {
  View view(numbers(100), {80, 6});
  EXPECT_THAT(view.lines(), ElementsAre("id  tens  name", " 0    10  name 0", " 1     9  name 1",
                                        " 2     9  name 2", " 3     9  name 3",
                                        "file  rows 0-3 of 100  column 1 of 3: id int32  ? keys"));
}

TEST_F(ViewTest, Scrolls) {
  View view(numbers(100), {60, 6});
  view.lines();
  EXPECT_THAT(view.lines_after(kDown)[1], StartsWith(" 0"));
  EXPECT_THAT(view.lines_after("jjj")[1], StartsWith(" 1"));
  EXPECT_THAT(view.lines_after(kPageDown)[1], StartsWith(" 5"));
  EXPECT_THAT(view.lines_after("20j")[4], StartsWith("28"));
  EXPECT_THAT(view.lines_after(kEnd)[4], StartsWith("99"));
  EXPECT_THAT(view.status(), StartsWith("file  rows 96-99 of 100"));
  EXPECT_THAT(view.lines_after(" ")[1], StartsWith("96"));
  EXPECT_THAT(view.lines_after(kUp)[1], StartsWith("96"));
  EXPECT_THAT(view.lines_after("999999999999999999999999k").back(), StartsWith("count: 99999"));
  EXPECT_THAT(view.lines_after("99999k")[1], StartsWith(" 0"));
  EXPECT_THAT(view.lines_after("G" "b")[1], StartsWith("92"));
  EXPECT_THAT(view.lines_after(kHome)[1], StartsWith(" 0"));
  EXPECT_THAT(view.lines_after("50G")[3], StartsWith("50"));  // in the middle
  EXPECT_THAT(view.lines_after(":7\r")[3], StartsWith(" 7"));
  EXPECT_THAT(view.lines_after(":100\r").back(),
              StartsWith("row 100 does not exist: the table has 100 rows"));
  EXPECT_THAT(view.lines_after(":x\r").back(), StartsWith("row: expected a whole number"));
  EXPECT_THAT(view.lines_after(kPageUp)[1], StartsWith(" 1"));
}

TEST_F(ViewTest, ColumnsScrollAndFreeze) {
  View view(csv("id,b,c,d\n1,bbbbbbbbbb,cccccccccc,dddddddddd\n"), {26, 3});
  EXPECT_THAT(view.lines(), ElementsAre("id  b           c", " 1  bbbbbbbbbb  cccccccccc",
                                        "file  rows 0-0 of 1  colu…"));
  EXPECT_EQ(view.lines_after("$")[1], "cccccccccc  dddddddddd");
  EXPECT_EQ(view.lines_after(kLeft)[1], "cccccccccc  dddddddddd");
  EXPECT_EQ(view.lines_after("0")[1], " 1  bbbbbbbbbb  cccccccccc");
  view.type("lf");
  EXPECT_EQ(view.lines()[1], " 1 | bbbbbbbbbb  cccccccc…");
  EXPECT_EQ(view.lines_after("$")[1], " 1 | dddddddddd");
  EXPECT_EQ(view.lines_after("0f")[1], " 1  bbbbbbbbbb  cccccccccc");
  EXPECT_EQ(view.lines_after("$").front(), "c           d");
  EXPECT_EQ(view.lines_after("cb\r").front(), "b           c");
  EXPECT_THAT(view.lines_after("cnone\r"),
              ElementsAre(testing::_, "no column has \"none\" in it", "s name"));
}

TEST_F(ViewTest, LongValuesAreCutAndWideOnRequest) {
  View view(csv("id,text\n1," + std::string(90, 'x') + "\n"), {60, 3});
  EXPECT_EQ(view.lines()[1], " 1  " + std::string(23, 'x') + "…");
  EXPECT_EQ(view.lines_after("lw")[1], std::string(59, 'x') + "…");
  EXPECT_EQ(view.lines_after("wh")[1], " 1  " + std::string(23, 'x') + "…");
}

TEST_F(ViewTest, SearchesForRows) {
  View view(numbers(1000), {70, 6});
  view.lines();
  EXPECT_THAT(view.lines_after("/id % 100 = 50\r")[3], StartsWith("50 "));
  EXPECT_THAT(view.lines_after("n")[3], StartsWith("150"));
  EXPECT_THAT(view.lines_after("NN")[4], StartsWith("951"));
  EXPECT_THAT(view.lines().back(), StartsWith("searched on from the last row"));
  EXPECT_THAT(view.lines_after("n").back(), StartsWith("searched on from the first row"));
  EXPECT_THAT(view.lines_after("/id > 1000\r").back(), StartsWith("no row passes: id > 1000"));
  EXPECT_THAT(view.lines_after("/idd > 1\r").back(), HasSubstr("^idd > 1"));
  EXPECT_THAT(view.lines_after("/id >\x1b").back(), StartsWith("file  rows"));
}

TEST_F(ViewTest, Filters) {
  View view(numbers(1000), {100, 6});
  view.lines_after("500G");
  EXPECT_THAT(view.lines_after("&id % 7 = 0\r").back(),
              StartsWith("file  rows 70-73 of 143  where id % 7 = 0"));
  EXPECT_THAT(view.lines()[3], StartsWith("504"));  // the next row that is shown
  EXPECT_THAT(view.lines_after("/tens = 20\r")[3], StartsWith("791"));
  EXPECT_THAT(view.lines_after("g")[2], StartsWith("  7"));
  EXPECT_THAT(view.lines_after("G")[4], StartsWith("994"));
  EXPECT_THAT(view.lines_after(":996\r").back(), StartsWith("row 996 is not among"));
  EXPECT_THAT(view.lines_after("&\x15id < 0\r").back(), HasSubstr("no rows"));
  EXPECT_THAT(view.lines_after("&\x15id <\r").back(), HasSubstr("id <^"));
  EXPECT_THAT(view.lines_after("&\x15\r").back(), StartsWith("file  rows 0-3 of 1000  column"));
}

TEST_F(ViewTest, SortsAndSortsNot) {
  View view(numbers(1000), {100, 6});
  view.lines();
  EXPECT_THAT(view.lines_after("S")[1], StartsWith("999"));
  EXPECT_THAT(view.status(), HasSubstr("order id:desc"));
  EXPECT_THAT(view.lines_after("ls")[1], StartsWith("991     0"));
  EXPECT_THAT(view.lines_after("/id = 3\r")[3], StartsWith("  3    99"));
  EXPECT_THAT(view.lines_after("&id % 2 = 0\r")[1], StartsWith("992     0"));
  EXPECT_THAT(view.lines_after("N")[4], StartsWith("998     0"));  // no row passes: the view stays
  EXPECT_THAT(view.lines_after("s")[1], StartsWith("988     1"));
  EXPECT_THAT(view.status(), Not(HasSubstr("order")));
}

TEST_F(ViewTest, NothingInTheDataReachesTheTerminal) {
  View view(csv("id,日本\n1,\"\x1b[2J\x1b]0;owned\x07\"\n2,日本日本\n3,\n4,e\u0301\u202e\n"),
            {40, 6});
  EXPECT_THAT(view.lines(),
              ElementsAre("id  日本", " 1  \\u001b[2J\\u001b…", " 2  日本日本", " 3  null",
                          " 4  e\u0301\\u202e", testing::_));
  EXPECT_EQ(view.lines_after("lw")[1], " 1  \\u001b[2J\\u001b]0;owned\\u0007");
}

TEST_F(ViewTest, DamageIsMarked) {
  View view((data_dir() / "jay" / "bad" / "str_offset_past_strdata.jay").string(), {200, 8});
  const std::vector<std::string> lines = view.lines();
  EXPECT_THAT(lines, testing::Contains("<damaged>"));
  EXPECT_EQ(lines[1], "ab");
  EXPECT_THAT(lines.back(), HasSubstr("column \"s\": row 2: offsets at byte 16"));
  EXPECT_TRUE(view.type("jjj/s = 'cd'\r&s = 'ab'\rs"));
  view.lines();
}

TEST_F(ViewTest, PredicatesLeaveDamagedRowsOut) {
  View view((data_dir() / "idv" / "bad" / "bad_deflate_corrupt.idv").string(), {150, 16});
  EXPECT_THAT(view.lines(), testing::Contains(StartsWith("<damaged>")));
  EXPECT_THAT(view.lines_after("&i >= 0\r").back(), StartsWith("damaged rows are left out: "));
  EXPECT_EQ(view.lines_after("j")[1].substr(0, 2), " 8");
  EXPECT_THAT(view.status(), HasSubstr("rows 0-11 of 12  where i >= 0"));
  EXPECT_THAT(view.status(), HasSubstr("without damaged rows"));
}

TEST_F(ViewTest, ACancelledTaskLeavesAllAsItWas) {
  View view(numbers(200'000), {90, 6});
  view.lines_after("100G");
  view.cancel = true;
  view.type("s");
  view.cancel = false;
  EXPECT_THAT(view.status(), StartsWith("cancelled"));
  EXPECT_THAT(view.lines_after("j").back(), Not(HasSubstr("order")));
  view.cancel = true;
  view.type("/id = 199999\r");
  view.cancel = false;
  EXPECT_THAT(view.status(), StartsWith("cancelled"));
  EXPECT_THAT(view.lines_after("n")[4], StartsWith("199999"));
  view.cancel = true;
  EXPECT_THAT(view.lines_after("g").back(), StartsWith("cancelled"));
}

TEST_F(ViewTest, KeysAreListed) {
  View view(numbers(10), {80, 8});
  view.lines();
  EXPECT_THAT(view.lines_after("?").back(), StartsWith("Up and Down scroll"));
  EXPECT_THAT(view.lines_after("jjjjjjjjjjjjjjjjjjjjjjjjjjjj")[6], StartsWith("q, Ctrl-C"));
  EXPECT_TRUE(view.type("q"));
  EXPECT_THAT(view.status(), StartsWith("file"));
  EXPECT_FALSE(view.type("q"));
  EXPECT_FALSE(view.type("\x03"));
  EXPECT_THAT(view.lines_after("Z").back(), StartsWith("unknown key Z"));
}

TEST_F(ViewTest, ALineThatIsTypedHasACursor) {
  View view(numbers(10), {20, 4});
  EXPECT_EQ(view.screen().cursor, std::nullopt);
  view.type("/id > 3");
  EXPECT_EQ(view.screen().cursor, 7U);
  view.type("\x1b[D");
  EXPECT_EQ(view.screen().cursor, 6U);
  view.type("\x1b[F and id < 99999999999999");
  EXPECT_EQ(view.screen().cursor, 19U);
  EXPECT_THAT(view.status(), EndsWith("9999999"));
}

TEST_F(ViewTest, NoRowsAndNoColumnsAreShown) {
  View none((data_dir() / "jay" / "rows0.jay").string(), {40, 4});
  EXPECT_THAT(none.status(), HasSubstr("no rows"));
  EXPECT_TRUE(none.type("jkhlGgsSfw#n:0\r/\r"));
  none.lines();
  View narrow((data_dir() / "jay" / "cols0_rows3.jay").string(), {40, 4});
  EXPECT_THAT(narrow.status(), HasSubstr("rows 0-1 of 3"));
  EXPECT_TRUE(narrow.type("jkhlGgsSfw#n"));
  narrow.lines();
}

// Whatever is typed on screens of any size, lines stay within them.
TEST_F(ViewTest, RandomKeysStayOnTheScreen) {
  const std::string path = numbers(300);
  const std::vector<std::string> keys = {
      "j", "k", "h", "l", "g", "G", "7", "0", "$", "f", "w", "#", "s", "S", "n", "N", "?", " ", "b",
      "\x04", "\x15", std::string(kPageDown), std::string(kPageUp), std::string(kEscape),
      std::string(kRight), std::string(kBackspace), "/id % 50 = 7\r", "&id > 100\r", "&\x15\r",
      "&\x15name like '%9'\r", ":55\r", "/bad(\r", "cten\r", "Z", std::string(kEnter)};
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    View view(path, {80, 24});
    for (int step = 0; step < 60; ++step) {
      const ScreenSize size{static_cast<uint32_t>(1 + random() % 60),
                            static_cast<uint32_t>(1 + random() % 12)};
      view.resize(size);
      if (!view.type(keys[random() % keys.size()])) break;
      const Screen screen = view.screen();
      ASSERT_LE(screen.lines.size(), size.height);
      for (const ScreenLine& line : screen.lines) {
        std::string text;
        for (const Span& span : line) text += span.text;
        ASSERT_LE(width_of(text), size.width) << text;
        ASSERT_EQ(text, safe_text(text));
      }
      ASSERT_LT(screen.cursor.value_or(0), size.width);
    }
  }
}

// Compares positions, rows and searches with plain loops, over several windows of rows.
TEST_F(ViewTest, ShownRowsAreThoseOfPlainLoops) {
  constexpr uint64_t kRows = 150'000;
  const auto file = open(numbers(kRows));
  const auto& table = file->table();
  const Context context;
  const auto selected = [&](const std::string& where, const std::vector<OrderBy>& order) {
    Query query(table, Where(where));
    query.order = order;
    std::vector<uint64_t> rows;
    Scan scan(query);
    for (RowBatch batch; scan.next(batch);) {
      rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
    }
    return rows;
  };
  std::mt19937 random(3);
  for (const std::string where :
       {"id >= 0", "id % 1000 = 3", "id between 70000 and 70010", "id < 0"}) {
    for (const std::vector<OrderBy>& order : {std::vector<OrderBy>(), {{"tens", Ascending}}}) {
      const std::vector<uint64_t> rows = selected(where, order);
      const auto passes = [&](uint64_t row) { return row % 7000 == 3; };
      const Predicate search(table, "id % 7000 = 3");
      Query query(table, where);
      query.order = order;
      ShownRows shown(query);
      shown.find(1, context);
      for (int i = 0; i < 40; ++i) {
        const uint64_t row = random() % kRows;
        const auto at = order.empty() ? std::ranges::lower_bound(rows, row)
                                      : std::ranges::find(rows, row);
        const auto expected = at == rows.end()
                                  ? std::nullopt
                                  : std::optional(static_cast<uint64_t>(at - rows.begin()));
        ASSERT_EQ(shown.position_of(row, context), expected) << where << row;
        const uint64_t from = random() % (rows.size() + 1);
        std::optional<uint64_t> next, previous;
        for (uint64_t p = from; p < rows.size() && !next; ++p) {
          if (passes(rows[p])) next = p;
        }
        for (uint64_t p = from; p > 0 && !previous; --p) {
          if (passes(rows[p - 1])) previous = p - 1;
        }
        ASSERT_EQ(shown.next(search, from, context), next) << where << from;
        shown.find(from, context);
        ASSERT_EQ(shown.previous(search, from, context), previous) << where << from;
      }
      shown.find(UINT64_MAX, context);
      ASSERT_TRUE(shown.is_complete());
      ASSERT_EQ(shown.known(), rows.size());
      const uint64_t first = rows.size() / 3, count = std::min<uint64_t>(rows.size() - first, 99);
      EXPECT_EQ(shown.rows(first, count, context),
                std::vector(rows.begin() + static_cast<ptrdiff_t>(first),
                            rows.begin() + static_cast<ptrdiff_t>(first + count)));
    }
  }
}

}  // namespace
}  // namespace heron::cli
