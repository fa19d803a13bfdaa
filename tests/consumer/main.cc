// Somebody else's program, which finds an installed Heron: the ten lines of the README on one of
// the files in data/, whose columns Z and F are a text and a float64.
#include <heron/heron.h>

#include <cstdio>
#include <string>
#include <vector>

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
    const heron::RowBatch rows = heron::take(columns, std::vector<uint64_t>{5, 2, 9, 5});
    const heron::RowBatch slice = heron::read(columns, {100, 200});

    heron::BatchLoader loader(columns, {.seed = 7}, 256);
    uint64_t sampled = 0;
    for (heron::RowBatch batch; loader.next(batch);) sampled += batch.rows;

    std::printf(
        "%g %s %llu %llu %llu\n", value, text.c_str(), static_cast<unsigned long long>(rows.rows),
        static_cast<unsigned long long>(slice.rows), static_cast<unsigned long long>(sampled));
    return value == 0.5 && text == "row4" && rows.rows == 4 && sampled == 10000 ? 0 : 1;
  } catch (const heron::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
