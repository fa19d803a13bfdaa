// Opens the file it is given, takes its last row, and says how many columns that had.
#include <heron/heron.h>

#include <cstdio>
#include <memory>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const auto dataset = heron::open(argv[1]);
    const auto& table = dataset->table();
    const uint64_t last = table->rows() - 1;
    const heron::RowBatch batch = heron::take(heron::Projection(table), {&last, 1});
    std::printf("%zu columns of row %llu\n", batch.columns.size(),
                static_cast<unsigned long long>(last));
    return batch.rows == 1 ? 0 : 1;
  } catch (const heron::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
