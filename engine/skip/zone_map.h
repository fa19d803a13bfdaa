// The zones of a table. A zone has statistics once a thread has read all of its rows, or if a
// sidecar provides them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "heron/table.h"
#include "skip/zone.h"

namespace heron::inline v0 {

inline constexpr uint64_t kZoneRows = 65'536;
inline constexpr uint64_t kMinZoneRows = 4'096;  // the least if blocks are shorter

// Zones of one column, each of equally many rows except the last. Thread-safe.
class ColumnZones {
 public:
  // Chooses the rows per zone by the column: kZoneRows, or whole blocks.
  explicit ColumnZones(const Column& column);

  ZoneOrder order() const noexcept { return order_; }
  uint64_t zone_rows() const noexcept { return zone_rows_; }
  // Returns the number of zones; 0 if the column has no zones, or would have more than kMaxZones.
  uint64_t size() const noexcept { return known_.size(); }
  RowRange rows_of(uint64_t zone) const noexcept;

  // Returns null if the zone has no statistics yet.
  const Zone* find(uint64_t zone) const noexcept {
    return known_[zone].load(std::memory_order_acquire) == kKnown ? &zones_[zone] : nullptr;
  }
  // Sets the statistics of a zone, unless another thread has set them.
  void set(uint64_t zone, const Zone& seen) noexcept;

  // Returns the number of distinct values, if a sidecar provides it.
  std::optional<uint64_t> distinct() const noexcept { return distinct_; }
  // Call it before other threads can see this.
  void set_distinct(std::optional<uint64_t> distinct) noexcept { distinct_ = distinct; }

  static constexpr uint64_t kMaxZones = uint64_t{1} << 20;

 private:
  enum State : uint8_t { kUnknown, kBeingSet, kKnown };

  uint64_t rows_;
  uint64_t zone_rows_;
  ZoneOrder order_;
  std::vector<Zone> zones_;
  std::vector<std::atomic<uint8_t>> known_;
  std::optional<uint64_t> distinct_;
};

// The merged statistics of all zones of a column.
struct WholeColumn {
  uint64_t low = UINT64_MAX;  // above `high`: no values except NaNs
  uint64_t high = 0;
  uint64_t null_count = 0;
  uint64_t nans = 0;  // NaNs that are not null

  bool has_bounds() const noexcept { return low <= high; }
};
// Returns nullopt if a zone has no statistics, or if there are no zones.
std::optional<WholeColumn> whole(const ColumnZones& zones);

class Sidecar;

// The zones of a table's columns, each created at first use. Thread-safe. In a table of many files
// each fragment has its own, and the table none.
class ZoneMap {
 public:
  // Returns the zone map of a table, which keeps it. The first call looks for the file's sidecar.
  static const ZoneMap& of(const Table& table, const Context& context);

  // The zones are filled from the sidecar if it has an index of this column.
  ColumnZones& of_column(uint64_t column, const Context& context) const;
  // Returns null if no sidecar belongs to the file.
  const Sidecar* sidecar() const noexcept { return sidecar_.get(); }

  // Public for of() and tests.
  ZoneMap(const Table& table, std::shared_ptr<const Sidecar> sidecar);
  ~ZoneMap();
  ZoneMap(const ZoneMap&) = delete;
  ZoneMap& operator=(const ZoneMap&) = delete;

 private:
  const Table& table_;
  std::shared_ptr<const Sidecar> sidecar_;
  mutable std::vector<std::atomic<ColumnZones*>> columns_;
};

}  // namespace heron::inline v0
