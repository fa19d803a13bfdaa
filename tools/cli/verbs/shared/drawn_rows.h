// Draws random rows of the selection: -n or --sample, --seed, --replace, --shuffle, --locality,
// --by-group.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heron/sampler.h"
#include "heron/scan.h"
#include "session.h"

namespace heron::cli {

// Options of the order of random rows.
struct OrderOptions {
  std::string shuffle;               // rows, blocks or groups; empty: rows
  std::optional<uint64_t> locality;  // number of blocks that are mixed
};

// Throws Error(Argument) if the table has no groups.
void require_groups(const Table& table);

// Returns rows by their position in the random order. Thread-safe.
class DrawnRows {
 public:
  // Draws from the table of these columns, or from its selection. The session must outlive it.
  // Throws Error(Argument) if no number was given or it exceeds the number of rows.
  DrawnRows(Session& session, const Projection& columns, const std::optional<Predicate>& where);

  uint64_t count() const noexcept { return count_; }
  // Writes the row numbers at positions position, position + 1 ..
  void draw(uint64_t position, std::span<uint64_t> rows) const;

 private:
  void check_count(uint64_t units, const char* name) const;
  void draw_selected(uint64_t position, std::span<uint64_t> rows) const;

  const Session& session_;
  uint64_t count_ = 0;
  std::optional<Selection> selection_;
  std::optional<EpochShard> shard_;
  // Selected rows that one search found, from position found_position_ on.
  mutable std::mutex mutex_;
  mutable uint64_t found_position_ = 0;
  mutable std::vector<uint64_t> found_;
};

}  // namespace heron::cli
