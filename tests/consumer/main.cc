// A program of a user, which finds an installed Heron: the ten lines of the README on one of the
// files in data/, whose columns Z and F are a text and a float64.
#include <heron/heron.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

// Calls functions with arguments in braces, wherever a call takes several numbers, names, paths,
// keys or aggregates. Returns how many answers are wrong.
int in_braces(const char* path, const std::string& out) {
  using Function = heron::Aggregate::Function;
  int wrong = 0;
  const auto expect = [&wrong](bool is_right) { wrong += is_right ? 0 : 1; };

  const auto twice = heron::open({path, path});
  expect(twice->table()->rows() == 20000);
  expect(heron::open({path})->table()->rows() == 10000);
  const auto data = heron::open({std::string(path)}, {.mmap = false});
  const std::shared_ptr<const heron::Table>& table = data->table();

  const heron::Projection by_name(table, {"F", "Z"}), by_number(table, {0, 1});
  expect(by_name.size() == 2 && by_number.size() == 2);
  expect(heron::take(by_name, {5, 2, 9}).rows == 3);
  expect(heron::take({table, {"Z"}}, {0}).columns.size() == 1);
  heron::RowBatch batch;
  heron::take(by_name, {5, 2}, batch);
  expect(batch.rows == 2);
  expect(heron::read(by_name, {100, 200}).rows == 100);
  std::vector<double> cells(20);
  heron::matrix<double>({table, {"F"}}, {30, 50}, std::span(cells));  // a RowRange

  heron::Query query(table);
  query.columns = {"F"};
  query.columns = {0, 1};
  query.columns = {};
  query.by = {};
  query.where = {};
  query.order = {};
  query.range = {};
  expect(!query.columns.are_set() && heron::count(query) == 10000);
  query.range = {10, 30};
  expect(heron::Selection(query).rows({0, 19}).back() == 29);
  expect(heron::aggregate(query, {{Function::Count}, {Function::Max, 0}}).columns.size() == 2);
  query.by = {"Z"};
  expect(heron::group_by(query, {{.name = "rows"}}).columns.size() == 2);
  const heron::PartialAggregate part(query, {{.name = "rows"}}, {0, 10000});
  expect(part.result({{"Z", heron::Descending}}).rows == part.result().rows);

  const heron::Projection key(twice->table(), {"F"});
  expect(heron::find(by_name, std::vector<heron::Scalar>()).empty());
  try {
    heron::find(by_name, {0.5, "row4"});
    heron::find_range(key, {7});
  } catch (const heron::Error& error) {  // rows that do not ascend
    expect(error.kind() == heron::ErrorKind::Argument);
  }
  expect(heron::WeightedSampler({1, 2.5}).rows() == 2);
  expect(heron::Type::vector(heron::Type::Float32, {2, 4}).size() == 8);
  expect(heron::diff(table, table, {.columns = {"F", "Z"}}).is_equal());

  const heron::RowSourcePtr rows = heron::table_rows(by_name);
  const heron::RowSourcePtr texts = heron::selected_columns(rows, {"Z"});
  heron::ConvertOptions options;
  options.write.replace = true;
  expect(heron::convert({rows, rows}, {out + "1.jay", out + "2.jay"}, options).files.size() == 2);
  heron::convert(texts, out + "1.jay", options);
  [[maybe_unused]] const auto of_csv = [] { return heron::csv_rows({"a.csv", "b.csv"}); };
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const auto data = heron::open(argv[1]);
    const heron::Projection columns(data->table(), {"F", "Z"});

    heron::RowView row(columns);
    row.seek(7104);
    const double value = row.get<double>(0).value_or(0);
    const std::string text(row.text(1).value_or(""));

    if (heron::version().empty()) return 1;
    const heron::RowBatch rows = heron::take(columns, {5, 2, 9, 5});
    const heron::RowBatch slice = heron::read(columns, {100, 200});

    heron::Loader loader(columns, {.sampler = {.seed = 7}, .batch_rows = 256});
    uint64_t sampled = 0;
    for (heron::LoaderBatch batch; loader.next(batch);) sampled += batch.columns.rows;

    std::printf(
        "%g %s %llu %llu %llu\n", value, text.c_str(), static_cast<unsigned long long>(rows.rows),
        static_cast<unsigned long long>(slice.rows), static_cast<unsigned long long>(sampled));
    if (const int wrong = in_braces(argv[1], "in_braces_"); wrong != 0) {
      std::printf("%d wrong answers to calls with braces\n", wrong);
      return 1;
    }
    return value == 0.5 && text == "row4" && rows.rows == 4 && sampled == 10000 ? 0 : 1;
  } catch (const heron::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
