// The rows that pass a predicate, by their position in the selection.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"

namespace heron::inline v0 {

class Input;

// Keeps 8 bytes for every ten thousand rows or so of the table, and the zones it read: enough to
// find any selected row again by filtering those around it. Cheap to move; const calls are
// thread-safe.
class HERON_EXPORT Selection {
 public:
  // Filters the rows of the query, on the Context's threads. If its Context skips damage, the
  // Context of rows() must too. Its Context's metrics must outlive it.
  explicit Selection(const Query& query, const Context& context = {});
  ~Selection();
  Selection(Selection&&) noexcept;
  Selection& operator=(Selection&&) noexcept;

  // The number of selected rows.
  uint64_t size() const noexcept { return before_.back(); }

  // Returns the table's numbers of the rows at these positions, 0 being the first selected row: any
  // order, repeats allowed. Filters the ten thousand rows or so around each again, once per call
  // however many positions are among them. Throws Error(Argument) for a position of size() or more.
  std::vector<uint64_t> rows(std::span<const uint64_t> positions,
                             const Context& context = {}) const;
  std::vector<uint64_t> rows(std::initializer_list<uint64_t> positions,
                             const Context& context = {}) const {
    return rows(std::span(positions.begin(), positions.size()), context);
  }

 private:
  std::unique_ptr<const Input> input_;
  std::vector<uint64_t> before_;  // selected rows before each morsel; last, those of all
};

}  // namespace heron::inline v0
