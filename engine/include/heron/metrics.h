// Metrics of queries and files: how much work was done, and how much was saved.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace heron::inline v0 {

// Work that queries do, and how much their predicates test. A query's threads add to it while it
// runs.
struct QueryMetrics {
  // Zones of the predicate's columns in the requested rows, and how many of them were not read,
  // because zone maps, keys or other columns had decided.
  std::atomic<uint64_t> zones{0};
  std::atomic<uint64_t> zones_skipped{0};
  std::atomic<uint64_t> values_tested{0};   // values read for the predicate
  std::atomic<uint64_t> bytes_tested{0};    // stored bytes of the tested values
  std::atomic<uint64_t> bytes_selected{0};  // bytes of the values in the result
  std::atomic<uint64_t> columns{0};         // columns read for the predicate or the result
  std::atomic<uint64_t> rows_selected{0};
  // Bytes prefetched, in whole pages; takes and reads of rows add to it, too.
  std::atomic<uint64_t> bytes_prefetched{0};
};

// A count of work done while reading a file.
struct Counter {
  std::string name;  // "payload_bytes_decoded"
  uint64_t value = 0;
};

}  // namespace heron::inline v0
