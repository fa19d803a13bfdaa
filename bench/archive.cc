// heron-archive MANY STORED LOOSE DEFLATED OFFSET STORED_BYTES BYTES: what a zip costs. MANY is one
// of many entries, STORED one whose only entry is LOOSE, DEFLATED one whose only entry is deflated:
// STORED_BYTES at OFFSET that become BYTES. bench/archive.py makes them. One JSON line each, times
// are medians.
#include <libdeflate.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "heron/heron.h"
#include "measure.h"
#include "plain.h"

namespace heron::bench {
namespace {

struct Free {
  void operator()(libdeflate_decompressor* one) const { libdeflate_free_decompressor(one); }
};

double median(std::vector<double>& seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

template <class Work>
double timed(Work work) {
  const double start = seconds_now();
  work();
  return seconds_now() - start;
}

// Returns the bytes that this process has requested from the kernel.
uint64_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  uint64_t bytes = 0;
  io >> name >> bytes;  // rchar
  return bytes;
}

void open_many(const std::string& path) {
  constexpr int kRuns = 201;
  std::vector<double> seconds;
  for (int i = 0; i < kRuns; ++i) seconds.push_back(timed([&] { open(path); }));
  OpenOptions options;
  options.mmap = false;
  const uint64_t before = bytes_read();
  const uint64_t own = bytes_read() - before;
  const uint64_t start = bytes_read();
  open(path, options);
  const uint64_t read = bytes_read() - start - own;
  std::printf("{\"op\":\"open_entries\",\"median_seconds\":%.9f,\"bytes_read\":%llu}\n",
              median(seconds), static_cast<unsigned long long>(read));
}

// Sums a row of the peers' columns: two integers, four floats, two doubles, a bool, a text.
uint64_t numbers_of(const RowView& row) {
  double sum = *row.get<int32_t>(0) + static_cast<double>(*row.get<int64_t>(1));
  for (uint64_t i = 2; i < 6; ++i) sum += row.get<float>(i).value_or(0);
  for (uint64_t i = 6; i < 8; ++i) sum += row.get<double>(i).value_or(0);
  sum += row.get<bool>(8).value_or(false);
  return static_cast<uint64_t>(sum > 0) + row.text(9).value_or("").size();
}

// Reads a fresh random row of all columns, from each file in turns.
void one_row(const std::string& zip, const std::string& loose) {
  constexpr uint64_t kRows = 1000;
  constexpr int kTurns = 41;
  const auto stored_file = open(zip), loose_file = open(loose);
  RowView views[] = {RowView(Projection(stored_file->table())),
                     RowView(Projection(loose_file->table()))};
  std::vector<double> seconds[2], batches[2], ratios, batch_ratios;
  const uint64_t rows = loose_file->table()->rows();
  const Projection columns[] = {Projection(stored_file->table()),
                                Projection(loose_file->table())};
  RowBatch batch;
  uint64_t seed = 88172645463325252ull, sum = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    std::vector<uint64_t> numbers(kRows);
    for (uint64_t& number : numbers) {
      seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
      number = seed % rows;
    }
    double of_turn[2], of_batch[2];
    for (int k = 0; k < 2; ++k) {
      const int which = (turn + k) % 2;
      of_turn[which] = timed([&] {
        for (const uint64_t number : numbers) {
          views[which].seek(number);
          sum += numbers_of(views[which]);
        }
      });
    }
    for (int k = 0; k < 2; ++k) {
      const int which = (turn + k) % 2;
      of_batch[which] = timed([&] {
        for (const uint64_t number : numbers) {
          take(columns[which], std::span(&number, 1), batch);
          sum += batch.rows;
        }
      });
    }
    for (int k = 0; k < 2; ++k) {
      seconds[k].push_back(of_turn[k] / kRows);
      batches[k].push_back(of_batch[k] / kRows);
    }
    ratios.push_back(of_turn[0] / of_turn[1]);
    batch_ratios.push_back(of_batch[0] / of_batch[1]);
  }
  std::printf(
      "{\"op\":\"row_1\",\"median_seconds\":%.10f,\"loose\":%.10f,\"ratio\":%.3f,\"check\":%llu}\n",
      median(seconds[0]), median(seconds[1]), median(ratios), static_cast<unsigned long long>(sum));
  std::printf("{\"op\":\"row_1_batch\",\"median_seconds\":%.10f,\"loose\":%.10f,\"ratio\":%.3f}\n",
              median(batches[0]), median(batches[1]), median(batch_ratios));
}

// Times Heron from open() to the first row, which needs the whole entry, against libdeflate on the
// same bytes, into memory that is new each time, as Heron's is, and into memory that is not.
void inflate_entry(const std::string& path, uint64_t offset, uint64_t stored, uint64_t bytes) {
  constexpr int kRuns = 9;
  const PlainMap map(path);
  const std::unique_ptr<libdeflate_decompressor, Free> inflater(libdeflate_alloc_decompressor());
  const auto inflate = [&](std::byte* into) {
    size_t made = 0;
    const auto* from = map.base() + offset;
    if (libdeflate_deflate_decompress(inflater.get(), from, stored, into, bytes, &made) != 0 ||
        made != bytes) {
      throw std::runtime_error("not the bytes of a deflated entry");
    }
  };
  std::vector<double> heron, fresh, reused, ratios;
  auto kept = std::make_unique_for_overwrite<std::byte[]>(bytes);
  inflate(kept.get());
  for (int i = 0; i < kRuns; ++i) {
    heron.push_back(timed([&] { RowView(Projection(open(path)->table())).seek(0); }));
    fresh.push_back(timed([&] {
      const auto into = std::make_unique_for_overwrite<std::byte[]>(bytes);
      inflate(into.get());
    }));
    reused.push_back(timed([&] { inflate(kept.get()); }));
    ratios.push_back(heron.back() / fresh.back());
  }
  std::printf(
      "{\"op\":\"inflate_entry\",\"median_seconds\":%.6f,\"libdeflate\":%.6f,\"reused\":%.6f,"
      "\"ratio\":%.3f}\n",
      median(heron), median(fresh), median(reused), median(ratios));
}

uint64_t number(std::string_view word) {
  uint64_t value = 0;
  const auto end = word.data() + word.size();
  if (std::from_chars(word.data(), end, value).ptr != end) {
    throw std::invalid_argument("expected a number, got " + std::string(word));
  }
  return value;
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** words) {
  using namespace heron::bench;
  try {
    if (count != 8) {
      throw std::invalid_argument("expected MANY STORED LOOSE DEFLATED OFFSET STORED_BYTES BYTES");
    }
    open_many(words[1]);
    one_row(words[2], words[3]);
    inflate_entry(words[4], number(words[5]), number(words[6]), number(words[7]));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-archive: %s\n", error.what());
    return 1;
  }
}
