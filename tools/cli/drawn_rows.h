// Rows drawn at random, as a request says: -n, --seed, --replace, --by-group, of those that match.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "heron/selection.h"
#include "heron/sampler.h"
#include "session.h"

namespace heron::cli {

// By their position in the order in which they are drawn. Thread-safe.
class DrawnRows {
 public:
  // Of the table of these columns, or of its rows that match. The session must outlive it. Throws
  // Error(Argument) if -n is missing, or more than there are.
  DrawnRows(Session& session, const Projection& columns, const std::optional<Predicate>& where);

  uint64_t count() const noexcept { return count_; }
  // Those at positions position, position + 1 ..: their numbers in the table.
  void draw(uint64_t position, std::span<uint64_t> rows) const;

 private:
  // A group that was drawn: how many rows are before its own, and its first one.
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
  // Rows that match, found together: those from a position on.
  mutable std::mutex mutex_;
  mutable uint64_t found_position_ = 0;
  mutable std::vector<uint64_t> found_;
};

}  // namespace heron::cli
