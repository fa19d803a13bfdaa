// heron-ops: the cost of each operation, one thread, warm unless the op says otherwise, each beside
// its lower bound on this machine (*_bound.h). The columns of a file decide which ops run on it.
// README.md describes every op.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"
#include "bytes/byte_source.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

template <class Kind>
struct NamedOp {
  std::string_view name;
  bool (*run)(Bench<Kind>&);
};

constexpr NamedOp<PeersFile> kPeersOps[] = {
    {"open_first_row", open_first_row},
    {"row_1", row_1},
    {"row_1_batch", row_1_batch},
    {"rows_1000", rows_1000},
    {"take_100k", take_100k},
    {"col_sum", col_sum},
    {"col_sum_large", col_sum_large},
    {"full_scan", full_scan},
    {"sample_256", sample_256},
    {"epoch_256", epoch_256},
    {"epoch_256_2t", epoch_256_2t},
    {"key_lookup_1000", key_lookup_1000},
    {"computed_column", computed_column},
    {"filter_count", filter_count},
    {"filter_count_2t", filter_count_2t},
    {"filter_fetch", filter_fetch},
    {"filter_fetch_2t", filter_fetch_2t},
    {"full_scan_where", full_scan_where},
    {"full_scan_where_2t", full_scan_where_2t},
    {"sums_where", sums_where},
    {"sums_where_2t", sums_where_2t},
    {"count_sorted_cold", count_sorted_cold},
    {"count_sorted", count_sorted},
};

constexpr NamedOp<RankingFile> kRankingOps[] = {
    {"open_file", open_file},
    {"schema_first_row", schema_first_row},
    {"row_1", row_1},
    {"row_1_batch", row_1_batch},
    {"take_100k", take_100k},
    {"col_sum", col_sum},
    {"matrix_256", matrix_256},
    {"count_where_16", count_where_16},
    {"count_where_8", count_where_8},
};

constexpr NamedOp<FeaturesFile> kFeaturesOps[] = {
    {"row_1", row_1},     {"row_1_batch", row_1_batch}, {"take_100k", take_100k},
    {"col_sum", col_sum}, {"all_sums", all_sums},       {"matrix_256", matrix_256},
};

constexpr NamedOp<MatrixFile> kMatrixOps[] = {
    {"row_1", row_1},
    {"take_256", take_256},
    {"take_10k", take_10k},
    {"matrix_256", matrix_256},
};

constexpr NamedOp<ForestFile> kForestOps[] = {
    {"open_file", open_file},
    {"predict_1", predict_1},
    {"predict_256", predict_256},
    {"predict_100k", predict_100k},
    {"predict_100k_2t", predict_100k_2t},
};

constexpr NamedOp<BlocksFile> kBlocksOps[] = {
    {"scan_memory", scan_memory},
    {"open_file", open_file},
    {"row_1_cold", row_1_cold},
    {"row_1_cold_2t", row_1_cold_2t},
    {"row_1", row_1},
    {"row_1_batch", row_1_batch},
    {"rows_1000", rows_1000},
    {"full_scan", full_scan},
    {"full_scan_2t", full_scan_2t},
    {"scan_where_2pct", scan_where_2pct},
};

constexpr NamedOp<PayloadFile> kPayloadOps[] = {
    {"open_file", open_file},         {"index_memory", index_memory},
    {"whole_decode", whole_decode},   {"first_pass", first_pass},
    {"second_pass", second_pass},     {"random_8", random_8},
    {"random_8_kept", random_8_kept}, {"encode", encode},
};

constexpr NamedOp<PackedFile> kPackedOps[] = {
    {"row_1", row_1},
    {"row_1_decoded", row_1_decoded},
};

struct Arguments {
  std::vector<std::string> paths;
  std::string op;  // the only op to run; empty: all ops
  double seconds = 1;
  OpenOptions options;
};

// Prints the bytes read by opening the file, and then by describing all columns of its first table,
// if the source counts them.
void print_bytes_read(const std::string& path, const OpenOptions& options) {
  const auto file = open(path, options);
  const auto read = [&file] {
    return static_cast<unsigned long long>(internals(*file).bytes->bytes_read());
  };
  const auto opened = read();
  const Projection all(file->table());
  std::printf(
      "{\"file\":\"%s\",\"op\":\"open_bytes_read\",\"engine\":\"heron\",\"bytes\":%llu,"
      "\"bytes_with_columns\":%llu}\n",
      path.c_str(), opened, read());
}

template <class Kind, size_t kOps>
bool run_ops(const NamedOp<Kind> (&ops)[kOps], const std::string& path,
             const Arguments& arguments) {
  Bench<Kind> bench{Kind(path, arguments.options), arguments.seconds};
  if (!arguments.options.mmap) print_bytes_read(path, arguments.options);
  print_heading(path);
  bool agree = true;
  for (const auto& op : ops) {
    if (arguments.op.empty() || arguments.op == op.name) agree &= op.run(bench);
  }
  return agree;
}

bool run_file(const std::string& path, const Arguments& arguments) {
  const auto file = open(path, arguments.options);
  if (is_payload(*file)) return run_ops(kPayloadOps, path, arguments);
  if (is_packed(*file)) return run_ops(kPackedOps, path, arguments);
  if (is_forest(*file)) return run_ops(kForestOps, path, arguments);
  if (is_matrix(*file)) return run_ops(kMatrixOps, path, arguments);
  if (is_blocks(*file)) return run_ops(kBlocksOps, path, arguments);
  if (is_ranking(*file)) return run_ops(kRankingOps, path, arguments);
  if (is_features(*file)) return run_ops(kFeaturesOps, path, arguments);
  return run_ops(kPeersOps, path, arguments);
}

bool is_known(std::string_view name) {
  const auto among = [name](const auto& ops) {
    return std::any_of(std::begin(ops), std::end(ops),
                       [name](const auto& op) { return op.name == name; });
  };
  return among(kPeersOps) || among(kRankingOps) || among(kFeaturesOps) || among(kMatrixOps) ||
         among(kForestOps) || among(kBlocksOps) || among(kPayloadOps) || among(kPackedOps);
}

std::optional<Arguments> parse(std::span<char* const> words) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool has_value = i + 1 < words.size();
    if (word == "--no-mmap") {
      arguments.options.mmap = false;
    } else if (word == "--warm") {
      arguments.options.access = Access::Warm;
    } else if (word == "--op" && has_value) {
      arguments.op = words[++i];
    } else if (word == "--seconds" && has_value) {
      arguments.seconds = std::atof(words[++i]);
    } else if (word.starts_with("-")) {
      return std::nullopt;
    } else {
      arguments.paths.emplace_back(word);
    }
  }
  const bool any_op = arguments.op.empty() || is_known(arguments.op);
  if (arguments.paths.empty() || !any_op) return std::nullopt;
  return arguments;
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** words) {
  using namespace heron::bench;
  const auto arguments = parse(std::span(words, static_cast<size_t>(count)).subspan(1));
  if (!arguments) {
    std::fprintf(stderr,
                 "usage: heron-ops FILE... [--seconds S] [--no-mmap] [--warm] [--op NAME]\n");
    return 2;
  }
  try {
    bool agree = true;
    for (const std::string& path : arguments->paths) agree &= run_file(path, *arguments);
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-ops: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
