// heron-ops: what each question costs on a file of the peers' ten columns, one thread, warm, each
// beside the least it can cost on this machine (bound.h). README.md says what every op is.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bench.h"
#include "bytes/byte_source.h"

namespace heron::bench {
namespace {

constexpr struct {
  std::string_view name;
  bool (*run)(Bench&);
} kOps[] = {
    {"open_first_row", open_first_row}, {"row_1", row_1},
    {"row_1_batch", row_1_batch},       {"rows_1000", rows_1000},
    {"take_100k", take_100k},           {"col_sum", col_sum},
    {"col_sum_large", col_sum_large},   {"full_scan", full_scan},
    {"sample_256", sample_256},         {"key_lookup_1000", key_lookup_1000},
};

// What opening the file and describing all its columns reads, where the source counts it.
void print_open_bytes(const PeersFile& file) {
  const auto dataset = open(file.path, file.options);
  const Projection all(dataset->table());
  std::printf("{\"op\":\"open_bytes_read\",\"engine\":\"heron\",\"bytes\":%llu}\n",
              static_cast<unsigned long long>(dataset->bytes()->bytes_read()));
}

struct Arguments {
  std::string path;
  std::string op;  // empty: all
  double seconds = 1;
  bool map = true;
};

std::optional<Arguments> parse(std::span<char* const> words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool has_value = i + 1 < words.size();
    if (word == "--no-mmap") {
      arguments.map = false;
    } else if (word == "--op" && has_value) {
      arguments.op = words[++i];
    } else if (word == "--seconds" && has_value) {
      arguments.seconds = std::atof(words[++i]);
    } else if (word.starts_with("-") || !arguments.path.empty()) {
      return std::nullopt;
    } else {
      arguments.path = word;
    }
  }
  const auto named = [&arguments](const auto& op) { return op.name == arguments.op; };
  const bool known = arguments.op.empty() || std::any_of(std::begin(kOps), std::end(kOps), named);
  if (arguments.path.empty() || !known) return std::nullopt;
  return arguments;
}

int run(const Arguments& arguments) {
  OpenOptions options;
  options.map = arguments.map;
  Bench bench{PeersFile(arguments.path, options), arguments.seconds};
  if (!arguments.map) print_open_bytes(bench.file);
  print_heading();
  bool agree = true;
  for (const auto& op : kOps) {
    if (arguments.op.empty() || arguments.op == op.name) agree &= op.run(bench);
  }
  return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** words) {
  using namespace heron::bench;
  const auto arguments = parse(std::span(words, static_cast<size_t>(count)).subspan(1));
  if (!arguments) {
    std::fprintf(stderr, "usage: heron-ops FILE.jay [--seconds S] [--no-mmap] [--op NAME]\n");
    return 2;
  }
  try {
    return run(*arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-ops: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
