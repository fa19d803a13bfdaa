// heron-cold: what reading costs when no page of the file is in memory, beside what the device
// needs for the same pages. Before each measurement the file's pages are dropped, and some are
// looked at, to say whether that worked. One JSON line each; bench/cold.py makes a table of them.
//
// The limits are measured in the same run: random pages read by 1, 8 and 64 threads with pread, and
// a sequential read past the page cache at several depths, the best of which counts.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "dataset/internals.h"
#include "heron/heron.h"
#include "measure.h"
#include "plain.h"

namespace heron::bench {
namespace {

constexpr uint64_t kPage = 4096;

class ColdFile {
 public:
  explicit ColdFile(const std::string& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail(ErrorKind::Io, path, "cannot be opened");
    bytes_ = static_cast<uint64_t>(::lseek(descriptor_, 0, SEEK_END));
  }

  const std::string& path() const { return path_; }
  uint64_t bytes() const { return bytes_; }
  int descriptor() const { return descriptor_; }

  // Returns the share of pages that stayed.
  double drop() const {
    ::fsync(descriptor_);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
    constexpr uint64_t kLooks = 1000;
    uint64_t stayed = 0;
    for (uint64_t i = 0; i < kLooks; ++i) {
      char byte;
      const iovec into = {&byte, 1};
      const auto at = static_cast<off_t>(bytes_ / kLooks * i);
      stayed += ::preadv2(descriptor_, &into, 1, at, RWF_NOWAIT) == 1;
    }
    return static_cast<double>(stayed) / kLooks;
  }

 private:
  std::string path_;
  int descriptor_;
  uint64_t bytes_;
};

uint64_t device_bytes() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (uint64_t value = 0; counters >> name >> value;) {
    if (name == "read_bytes:") return value;
  }
  return 0;
}

int64_t major_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_majflt;
}

// The host of a virtual machine takes back memory that is free for some seconds; to touch it again
// costs up to a millisecond a page, many times what the device takes. So free memory for the pages
// to come is touched first.
void touch_free_memory(uint64_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  for (uint64_t at = 0; at < bytes; at += kPage) static_cast<volatile char*>(memory)[at] = 1;
  ::munmap(memory, bytes);
}

// `pages`: what has to be read at least; `work` is timed and returns a check.
void measure_cold(const ColdFile& file, const std::string& op, const char* way, uint64_t pages,
                  const std::function<double()>& work) {
  touch_free_memory(std::min(file.bytes(), 4 * pages * kPage) + (uint64_t{64} << 20));
  const double stayed = file.drop();
  const uint64_t before = device_bytes();
  const int64_t faults = major_faults();
  const double start = seconds_now();
  const double check = work();
  const double seconds = seconds_now() - start;
  std::printf(
      "{\"op\":\"%s\",\"way\":\"%s\",\"seconds\":%.6f,\"device_bytes\":%llu,\"pages\":%llu,"
      "\"major_faults\":%lld,\"stayed\":%.3f,\"check\":%.17g}\n",
      op.c_str(), way, seconds, static_cast<unsigned long long>(device_bytes() - before),
      static_cast<unsigned long long>(pages), static_cast<long long>(major_faults() - faults),
      stayed, check);
  std::fflush(stdout);
}

void on_threads(unsigned count, const std::function<void()>& work) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

void measure_device(const ColdFile& file, uint64_t pages) {
  std::mt19937_64 random(7);
  for (const unsigned depth : {1U, 8U, 64U}) {
    std::set<uint64_t> offsets;
    while (offsets.size() < (depth == 1 ? pages / 8 : pages)) {
      offsets.insert(random() % (file.bytes() / kPage) * kPage);
    }
    const std::vector<uint64_t> list(offsets.begin(), offsets.end());
    const std::string op = "device random depth " + std::to_string(depth);
    measure_cold(file, op, "pread", list.size(), [&] {
      std::atomic<uint64_t> next{0}, failed{0};
      on_threads(depth, [&] {
        char page[kPage];
        for (uint64_t i; (i = next++) < list.size();) {
          failed += ::pread(file.descriptor(), page, kPage, static_cast<off_t>(list[i])) < 1;
        }
      });
      return static_cast<double>(failed);
    });
  }
  const int direct = ::open(file.path().c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  const int descriptor = direct < 0 ? file.descriptor() : direct;
  const uint64_t bytes = std::min(file.bytes(), uint64_t{1} << 30);
  for (const uint64_t piece : {uint64_t{256} << 10, uint64_t{1} << 20}) {
    for (const unsigned depth : {1U, 2U, 4U, 8U}) {
      const std::string op = "device sequential depth " + std::to_string(depth) + " of " +
                             std::to_string(piece >> 10) + " KiB";
      measure_cold(file, op, "pread", bytes / kPage, [&] {
        std::atomic<uint64_t> next{0};
        on_threads(depth, [&] {
          auto* memory = static_cast<char*>(std::aligned_alloc(kPage, piece));
          for (uint64_t at; (at = next.fetch_add(piece)) < bytes;) {
            if (::pread(descriptor, memory, piece, static_cast<off_t>(at)) < 0) break;
          }
          std::free(memory);
        });
        return 0.0;
      });
    }
  }
  if (direct >= 0) ::close(direct);
}

// The pages of cells, offsets, characters and validity bits of some rows.
uint64_t pages_of(const Projection& columns, const std::vector<uint64_t>& rows) {
  std::vector<uint64_t> pages;
  const auto add = [&](const ByteView& view, uint64_t at, uint64_t bytes) {
    const uint64_t first = (view.offset + at) / kPage,
                   last = (view.offset + at + bytes - 1) / kPage;
    for (uint64_t page = first; page <= last; ++page) pages.push_back(page);
  };
  for (const Column* column : internals(columns).columns()) {
    const auto flat = column->flat();
    for (const uint64_t row : rows) {
      if (flat->kind == FlatCells::Kind::Bits) {
        add(flat->cells, row / 8, 1);
        continue;
      }
      const bool is_text = flat->kind == FlatCells::Kind::Text;
      add(flat->cells, row * flat->stride, flat->cell_bytes * (is_text ? 2 : 1));
      if (!is_text) continue;
      uint32_t extent[2];
      flat->cells.read(row * sizeof(uint32_t), std::as_writable_bytes(std::span(extent)), {});
      const uint32_t start = extent[0] & INT32_MAX, end = extent[1] & INT32_MAX;
      if (end > start) add(flat->characters, start, end - start);
    }
  }
  std::sort(pages.begin(), pages.end());
  return static_cast<uint64_t>(std::unique(pages.begin(), pages.end()) - pages.begin());
}

double sum_of_first(const RowBatch& batch) {
  double sum = 0;
  const Values& first = batch.columns.front();
  for (uint64_t i = 0; i < first.rows; ++i) {
    if (!first.is_null(i))
      sum += first.type.is(Type::Int32) ? first.get<int32_t>(i) : first.get<float>(i);
  }
  return sum;
}

void measure_rows(const ColdFile& file, const OpenOptions& options, const char* way,
                  uint64_t count) {
  const auto data = open(file.path(), options);
  const Projection columns(data->table());
  std::mt19937_64 random(count);
  std::vector<uint64_t> rows(count);
  for (uint64_t& row : rows) row = random() % data->table()->rows();
  const uint64_t pages = pages_of(columns, rows);
  measure_cold(file, std::to_string(count) + " random rows", way, pages, [&] {
    const auto fresh = open(file.path(), options);
    return sum_of_first(take(Projection(fresh->table()), rows));
  });
}

void measure_loader(const ColdFile& file, const OpenOptions& options, const char* way) {
  constexpr uint64_t kBatches = 40, kRows = 256;
  const auto data = open(file.path(), options);
  const Projection columns(data->table());
  std::vector<uint64_t> rows(kBatches * kRows);
  Sampler(data->table()->rows(), {.seed = 11}).draw(0, rows);
  const uint64_t pages = pages_of(columns, rows);
  measure_cold(file, "loader of 256 rows, 1 ms a batch", way, pages, [&] {
    const auto fresh = open(file.path(), options);
    BatchLoader loader(Projection(fresh->table()), {.seed = 11}, kRows);
    RowBatch batch;
    double sum = 0;
    for (uint64_t i = 0; i < kBatches && loader.next(batch); ++i) {
      sum += sum_of_first(batch);
      for (const double end = seconds_now() + 1e-3; seconds_now() < end;) {
      }
    }
    return sum;
  });
}

uint64_t pages_of_columns(const ColdFile& file, const Table& table,
                          std::span<const char* const> names) {
  uint64_t bytes = 0;
  for (const char* name : names) {
    const auto flat = internals(table).column(*table.find_column(name)).flat();
    bytes += flat->cells.bytes + (flat->kind == FlatCells::Kind::Text ? flat->characters.bytes : 0);
  }
  return std::min(bytes, file.bytes()) / kPage;
}

void measure_scans(const ColdFile& file, const OpenOptions& options, const char* way,
                   unsigned threads) {
  Context context;
  context.threads = threads;
  const std::string suffix = threads == 1 ? "" : ", " + std::to_string(threads) + " threads";
  const auto ask = [&](const std::string& op, const char* where, const char* aggregates,
                       std::vector<const char*> columns) {
    const auto table = open(file.path(), options)->table();
    const uint64_t pages = pages_of_columns(file, *table, columns);
    measure_cold(file, op + suffix, way, pages, [&] {
      const auto fresh = open(file.path(), options)->table();
      if (aggregates == nullptr) {
        return static_cast<double>(count(Query(fresh, where), context));
      }
      const auto wanted = parse_aggregates(*fresh, aggregates);
      keep(aggregate(Query(fresh), wanted, context));
      return 0.0;
    });
  };
  ask("count where f1", "f1 > 3.5", nullptr, {"f1"});
  ask("sum of one column", "", "sum(d0)", {"d0"});
  ask("sums of all numbers", "",
      "sum(id), sum(ts), sum(f0), sum(f1), sum(f2), sum(f3), sum(d0), sum(d1), sum(flag)",
      {"id", "ts", "f0", "f1", "f2", "f3", "d0", "d1", "flag"});
  ask("count where f1 and s", "f1 > 3.5 and s like 'ab%'", nullptr, {"f1"});
}

// The given rows, and batches of 256 rows of seven columns: what bench/peers/cold_peers.py
// compares.
void measure_given(const ColdFile& file, const OpenOptions& options, const char* way,
                   const std::vector<uint64_t>& rows) {
  constexpr uint64_t kBatches = 20, kRows = 256;
  touch_free_memory(file.bytes());
  const double stayed = file.drop();
  const uint64_t before = device_bytes();
  double start = seconds_now();
  double ids = 0;
  {
    const auto data = open(file.path(), options);
    ids = sum_of_first(take(Projection(data->table()), rows));
  }
  const double seconds = seconds_now() - start;
  const uint64_t read = device_bytes() - before;
  file.drop();
  start = seconds_now();
  const auto data = open(file.path(), options);
  const std::vector<std::string> names = {"f0", "f1", "f2", "f3", "d0", "d1", "flag"};
  BatchLoader loader(Projection(data->table(), names), {.seed = 5}, kRows);
  RowBatch batch;
  for (uint64_t i = 0; i < kBatches && loader.next(batch); ++i) keep(batch);
  std::printf(
      "{\"op\":\"given rows\",\"way\":\"%s\",\"seconds\":%.6f,\"device_bytes\":%llu,"
      "\"sample_seconds\":%.6f,\"stayed\":%.3f,\"check\":%.17g}\n",
      way, seconds, static_cast<unsigned long long>(read), (seconds_now() - start) / kBatches,
      stayed, ids);
}

void measure_given(const std::string& path, const std::string& list) {
  std::ifstream in(list);
  std::vector<uint64_t> rows;
  for (uint64_t row; in >> row;) rows.push_back(row);
  for (const bool map : {true, false}) {
    OpenOptions options;
    options.map = map;
    options.use_sidecar = false;
    measure_given(ColdFile(path), options, map ? "mapped" : "pread", rows);
  }
}

void run(const std::string& path, bool device, bool map, Access access) {
  const ColdFile file(path);
  if (device) return measure_device(file, 20'000);
  OpenOptions options;
  options.map = map;
  options.access = access;
  options.use_sidecar = false;
  const char* way = map ? "mapped" : "pread";
  measure_rows(file, options, way, 1'000);
  measure_rows(file, options, way, 10'000);
  const auto table = open(path, options)->table();
  if (!table->find_column("f1")) return;
  measure_loader(file, options, way);
  measure_scans(file, options, way, 1);
  measure_scans(file, options, way, 2);
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** arguments) {
  using namespace heron;
  bool device = false, map = true;
  Access access = Access::Auto;
  const char* rows = nullptr;
  for (int i = 2; i < count; ++i) {
    const std::string_view word = arguments[i];
    device |= word == "--device";
    map &= word != "--no-mmap";
    if (word == "--rows" && i + 1 < count) rows = arguments[++i];
    if (word == "--warm") access = Access::Warm;
    if (word == "--cold") access = Access::Cold;
  }
  if (count < 2) {
    std::fputs("heron-cold FILE [--device | --no-mmap | --rows LIST] [--warm | --cold]\n", stderr);
    return 2;
  }
  try {
    if (rows != nullptr) {
      bench::measure_given(arguments[1], rows);
      return 0;
    }
    bench::run(arguments[1], device, map, access);
  } catch (const Error& error) {
    std::fprintf(stderr, "heron-cold: %s\n", error.what());
    return 1;
  }
  return 0;
}
