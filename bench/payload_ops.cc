// The ops on the payload of a container: the bytes of a tree with or without previous bits, and
// rows of tables.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench.h"

namespace heron::bench {
namespace {

using Bytes = std::vector<std::byte>;

// Returns a number computed from all bytes.
double check_of(std::span<const std::byte> bytes) {
  uint64_t hash = 0;
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<uint64_t>(byte)) * 0x9E3779B97F4A7C15;
  }
  return static_cast<double>(hash >> 11);  // exact
}

// Reads all bytes in order, in pieces.
void scan_into(const Projection& bytes, Bytes& into) {
  constexpr uint64_t kBatchRows = uint64_t{1} << 20;
  RowBatch batch;
  uint64_t at = 0;
  for (Scan scan(bytes, {}, kBatchRows); scan.next(batch); at += batch.rows) {
    std::memcpy(into.data() + at, batch.columns[0].data.data, batch.rows);
  }
}

struct BoundOpenPayload {
  const PayloadFile& file;
  uint64_t branches = 0;

  void run(uint64_t) {
    const PlainMap map(file.path);
    branches = count_branches(StoredTree(map));
  }
  double check() const {
    const bool all = branches + 1 == file.table.branches.size();
    return all ? static_cast<double>(file.rows) : 0;
  }
};

}  // namespace

bool open_file(Bench<PayloadFile>& bench) {
  const PayloadFile& file = bench.file;
  return bench.measure(
      {.name = "open_file", .min_rate = 25e6, .amount = file.header("branches")},
      HeronOpenFile{file}, BoundOpenPayload{file});
}

bool index_memory(Bench<PayloadFile>& bench) {
  constexpr uint64_t kMinReduction = 20;  // target: an index of at most 1/20 of the payload
  const PayloadFile& file = bench.file;
  report_bytes("index_memory", file.path, file.header("index_bytes"), file.rows / kMinReduction);
  return true;
}

namespace {

// Scans a dataset with nothing decoded yet, which is opened outside the timed part.
struct HeronFirstScan {
  const PayloadFile& file;
  Bytes bytes = Bytes(file.rows);
  Projection fresh = all_of_opened();

  Projection all_of_opened() const { return Projection(open(file.path, file.options)->table()); }
  void run(uint64_t) { scan_into(fresh, bytes); }
  double check() {
    fresh = all_of_opened();
    return check_of(bytes);
  }
};

struct BoundFill {
  const PayloadFile& file;
  std::vector<uint64_t> words = {};

  void run(uint64_t) { fill(file.tree, words); }
  double check() const { return check_of(std::as_bytes(std::span(words)).first(file.rows)); }
};

struct BoundWalkAll {
  const PayloadFile& file;
  Bytes bytes = {};

  void run(uint64_t) {
    const unsigned first = file.tree.feat_prev;
    bytes.assign(file.rows, std::byte{0});
    std::memcpy(bytes.data(), file.payload().data(), first / 8);
    for (unsigned bit = first & ~7U; bit < first; ++bit) {
      bytes[bit / 8] |= file.payload()[bit / 8] & std::byte(1U << bit % 8);
    }
    walk(file.table, first, file.tree.payload_bits(), history_before(file.payload(), first),
         bytes.data() + first / 8);
  }
  double check() const { return check_of(bytes); }
};

// Number of runs of an op that takes seconds.
constexpr uint64_t kLongRuns = 2;

}  // namespace

bool whole_decode(Bench<PayloadFile>& bench) {
  const PayloadFile& file = bench.file;
  if (file.looks_back()) return true;
  return bench.measure(
      {.name = "whole_decode", .min_rate = 100e6, .amount = file.rows, .runs = 5},
      HeronFirstScan{file}, BoundFill{file});
}

bool first_pass(Bench<PayloadFile>& bench) {
  const PayloadFile& file = bench.file;
  if (!file.looks_back()) return true;
  return bench.measure(
      {.name = "first_pass", .min_rate = 4e6, .amount = file.rows, .runs = kLongRuns},
      HeronFirstScan{file}, BoundWalkAll{file});
}

namespace {

// Scans with an empty cache, but with checkpoints.
struct HeronNextScan {
  const Projection& bytes;
  Bytes into = Bytes(bytes.table()->rows());

  void run(uint64_t) { scan_into(bytes, into); }
  double check() const { return check_of(into); }
};

}  // namespace

bool second_pass(Bench<PayloadFile>& bench) {
  constexpr double kMinGain = 2.5;
  const PayloadFile& file = bench.file;
  if (!file.looks_back()) return true;
  const Projection bytes(open(file.path, file.forgetful_options)->table());
  HeronNextScan scan{bytes};
  const double start = seconds_now();
  scan.run(0);
  const double first_rate = static_cast<double>(file.rows) / (seconds_now() - start);
  return bench.measure({.name = "second_pass",
                        .min_rate = kMinGain * first_rate,
                        .amount = file.rows,
                        .runs = kLongRuns},
                       scan, BoundWalkAll{file});
}

namespace {

constexpr uint64_t kRead = 8;     // bytes of one read
constexpr uint64_t kReads = 100;  // reads per input: the cost varies by offset
constexpr uint64_t kReadInputs = 100;
// The distance of bits at which a walk can begin in a tree with previous bits. Bytes before the
// first such bit are not read.
constexpr uint64_t kCheckpointBits = 4096;

Rows random_offsets(Bench<PayloadFile>& bench) {
  std::uniform_int_distribution<uint64_t> any(kCheckpointBits / 8, bench.file.rows - kRead);
  Rows offsets(kReads * kReadInputs);
  for (uint64_t& offset : offsets) offset = any(bench.random);
  return offsets;
}

// Calls of(offset), which returns the 8 bytes at that offset.
struct Reads {
  const Rows& offsets;
  uint64_t answers[kReads] = {};

  template <class Of>
  void run(uint64_t input, Of of) {
    for (uint64_t i = 0; i < kReads; ++i) answers[i] = of(offsets[input * kReads + i]);
  }
  double check() const { return check_of(std::as_bytes(std::span(answers))); }
};

struct HeronRead {
  const Projection& bytes;
  Reads reads;
  RowBatch batch = {};

  void run(uint64_t input) {
    reads.run(input, [this](uint64_t offset) {
      read(bytes, {offset, offset + kRead}, batch);
      return load<uint64_t>(batch.columns[0].data.data);
    });
  }
  double check() const { return reads.check(); }
};

// Walks from the root or, in a tree with previous bits, from the last checkpoint before.
struct BoundWalk {
  const PayloadFile& file;
  Reads reads;
  Bytes bytes = {};

  uint64_t read_at(uint64_t offset) {
    const uint64_t bit = offset * 8;
    const uint64_t first = file.looks_back() ? bit & ~(kCheckpointBits - 1) : bit;
    bytes.assign((bit - first) / 8 + kRead, std::byte{0});
    walk(file.table, first, bit + 8 * kRead, history_before(file.payload(), first), bytes.data());
    return load<uint64_t>(bytes.data() + (bit - first) / 8);
  }
  void run(uint64_t input) {
    reads.run(input, [this](uint64_t offset) { return read_at(offset); });
  }
  double check() const { return reads.check(); }
};

struct BoundLoad {
  const PayloadFile& file;
  Reads reads;

  void run(uint64_t input) {
    reads.run(input,
              [this](uint64_t offset) { return load<uint64_t>(file.raw_map.base() + offset); });
  }
  double check() const { return reads.check(); }
};

Op reads_op(const char* name, double max_seconds) {
  return {.name = name,
          .max_seconds = max_seconds,
          .inputs = kReadInputs,
          .parts = kReads,
          .runs = kReadInputs};
}

}  // namespace

bool random_8(Bench<PayloadFile>& bench) {
  const PayloadFile& file = bench.file;
  const Rows offsets = random_offsets(bench);
  const Projection bytes(open(file.path, file.forgetful_options)->table());
  if (file.looks_back()) HeronNextScan{bytes}.run(0);
  return bench.measure(reads_op("random_8", file.looks_back() ? 150e-6 : 6e-6),
                       HeronRead{bytes, {offsets}}, BoundWalk{file, {offsets}});
}

bool random_8_kept(Bench<PayloadFile>& bench) {
  const PayloadFile& file = bench.file;
  const Rows offsets = random_offsets(bench);
  HeronNextScan{file.all}.run(0);
  return bench.measure(reads_op("random_8_kept", 0), HeronRead{file.all, {offsets}},
                       BoundLoad{file, {offsets}});
}

namespace {

bool are_equal(const std::string& a, const std::string& b) {
  const PlainMap first(a), second(b);
  return first.bytes() == second.bytes() &&
         std::memcmp(first.base(), second.base(), first.bytes()) == 0;
}

struct HeronEncode {
  const PayloadFile& file;
  std::string out = file.path + ".encoded.tz";

  void run(uint64_t) {
    WrapOptions options;
    options.set("previous_bits", file.tree.feat_prev);
    options.set("address_bits", file.tree.feat_addr);
    options.mmap = file.options.mmap;
    wrap(file.raw.path(), out, options);
  }
  double check() {
    const bool equal = are_equal(out, file.path);
    std::remove(out.c_str());
    return equal ? 1 : 0;
  }
};

}  // namespace

bool encode(Bench<PayloadFile>& bench) {
  const PayloadFile& file = bench.file;
  const double direct_rate = file.is_text() ? 1e6 : 10e6;
  HeronEncode heron{file};
  return measure_alone({.name = "encode",
                        .min_rate = file.tree.feat_prev == 0 ? direct_rate : 0.5e6,
                        .amount = file.rows,
                        .runs = 1},
                       {file.path, bench.seconds}, heron, 1);
}

namespace {

struct HeronPackedRow {
  const Projection& columns;
  const Rows& rows;
  RowBatch batch = {};

  void run(uint64_t input) { take(columns, {&rows[input], 1}, batch); }
  double check() const {
    double check = 0;
    for (const Values& values : batch.columns) {
      check += check_of({values.data.data, values.data.bytes});
    }
    return check;
  }
};

constexpr uint64_t kPackedRows = 1000;

}  // namespace

bool row_1(Bench<PackedFile>& bench) {
  const PackedFile& file = bench.file;
  const Rows rows = bench.random_rows(kPackedRows);
  return bench.measure({.name = "row_1", .max_seconds = 200e-6, .inputs = rows.size()},
                       HeronPackedRow{file.all, rows}, HeronPackedRow{file.raw_all, rows});
}

bool row_1_decoded(Bench<PackedFile>& bench) {
  constexpr uint64_t kMinReduction = 100;  // target: at most 1/100 of the payload is decoded
  const PackedFile& file = bench.file;
  const Rows rows = bench.random_rows(kPackedRows);
  HeronPackedRow heron{file.all, rows};
  heron.run(0);
  const uint64_t before = file.decoded_bytes();
  for (uint64_t i = 0; i < rows.size(); ++i) heron.run(i);
  report_bytes("row_1_decoded", file.path, (file.decoded_bytes() - before) / rows.size(),
               file.raw_file->size_bytes() / kMinReduction);
  return true;
}

}  // namespace heron::bench
