// The rows that a question is about, unit by unit: those of a predicate, or all of a table.
#pragma once

#include <optional>
#include <span>

#include "filter/filter.h"
#include "query/gathered.h"

namespace heron::inline v0 {

// Thread-safe.
class Selection {
 public:
  // Throws Error(Argument) for a predicate of another table.
  Selection(std::shared_ptr<const Table> table, const std::optional<Predicate>& where,
            const Context& context, QueryCounters* counters = nullptr);

  const std::shared_ptr<const Table>& table() const noexcept { return table_; }
  uint64_t unit_count() const noexcept { return first_units_.back(); }
  FilterUnit unit(uint64_t i) const noexcept;

  // The unit's rows, a bit for each, until the room is used again. Nothing: all of them.
  std::optional<std::span<const uint64_t>> select(const FilterUnit& unit, FilterRoom& room) const;
  // Adds those rows of a unit to what is gathered of a column, a block of sum_order.h at a time:
  // read, or, where only few of the block are selected, taken. Gives how many of the rows it left
  // out because they are damaged, where the Context says so.
  uint64_t gather(const FilterUnit& unit, std::optional<std::span<const uint64_t>> rows,
                  uint64_t column, Gathered& gathered, Arena& arena, const Context& context) const;
  // The columns were read: counted once for the question.
  void mark_read(std::span<const uint64_t> columns) const;

 private:
  // What is selected of consecutive rows: `rows` of `column`, which are those from `place` on in
  // the table.
  struct Piece {
    const Column& column;
    RowRange rows;
    uint64_t place;
    uint64_t kept;
    std::span<const uint64_t> bits;  // of those kept
  };
  static uint64_t gather_piece(const Piece& piece, Gathered& gathered, Arena& arena,
                               const Context& context);

  const Table& part(uint64_t i) const noexcept {
    return table_->parts().empty() ? *table_ : *table_->parts()[i].table;
  }
  uint64_t part_first(uint64_t i) const noexcept {
    return table_->parts().empty() ? 0 : table_->parts()[i].first_row;
  }

  std::shared_ptr<const Table> table_;
  QueryCounters* counters_;
  std::optional<Filter> filter_;
  std::vector<uint64_t> tested_;          // columns, ascending
  std::vector<uint64_t> first_units_{0};  // of each part; and how many there are
};

}  // namespace heron::inline v0
