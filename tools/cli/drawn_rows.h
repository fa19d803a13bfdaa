// Random rows for a request: -n or --sample, --seed, --replace, --by-group, of the selection.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "heron/sampler.h"
#include "heron/selection.h"
#include "session.h"

namespace heron::cli {

// Rows by their position in the random order. Thread-safe.
class DrawnRows {
 public:
  // Draws from the table of these columns, or from its selection. The session must outlive it.
  // Throws Error(Argument) if no number was given or it exceeds the number of rows.
  DrawnRows(Session& session, const Projection& columns, const std::optional<Predicate>& where);

  uint64_t count() const noexcept { return count_; }
  // The row numbers at positions position, position + 1 ..
  void draw(uint64_t position, std::span<uint64_t> rows) const;

 private:
  // A drawn group: the number of rows before it, and its first row.
  struct Group {
    uint64_t before, first_row;
  };

  void check_count(uint64_t units, const char* name) const;
  void draw_groups(const Projection& columns);
  void draw_of_groups(uint64_t position, std::span<uint64_t> rows) const;
  void draw_selected(uint64_t position, std::span<uint64_t> rows) const;

  const Session& session_;
  uint64_t count_ = 0;
  std::optional<Selection> selection_;
  std::optional<Sampler> sampler_;
  std::vector<Group> groups_;
  // Selected rows found together, from a position on.
  mutable std::mutex mutex_;
  mutable uint64_t found_position_ = 0;
  mutable std::vector<uint64_t> found_;
};

}  // namespace heron::cli
