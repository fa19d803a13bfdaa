// Shows rows in the form that was asked for: what all verbs that print rows end in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "heron/dataset.h"
#include "heron/query.h"
#include "output/row_writer.h"
#include "session.h"

namespace heron::cli {

class RowPrinter {
 public:
  // `rows` is how many will be shown.
  RowPrinter(Session& session, Projection columns, uint64_t rows);

  // Rows with neighbours, streaming; `limit` and `where` as in ScanOptions.
  void show(RowRange rows, uint64_t limit, const std::optional<Predicate>& where = std::nullopt);
  void show(RowRange rows) { show(rows, rows.rows()); }
  // Rows by number, all of which are there.
  void show(std::span<const uint64_t> rows);
  // After the last row.
  void finish();

 private:
  // Its progress is that of so many further rows.
  Context context_of(uint64_t rows) const;
  void write(const RowBatch& batch, std::span<const uint64_t> numbers);

  Session& session_;
  Projection columns_;
  uint64_t rows_;            // to come, in all
  uint64_t shown_rows_ = 0;  // by number
  uint64_t batch_rows_;
  std::unique_ptr<RowWriter> writer_;
  RowBatch batch_;     // its memory is used again
  RowBatch numbered_;  // the same with the rows' numbers in front
};

// One range, and all that is around it. A whole table is asked for without a limit, so that
// --max-decode has its say.
void print_rows(Session& session, Projection columns, RowRange rows);
void print_all_rows(Session& session, Projection columns);
// Rows by number. Throws Error(Argument) before anything is printed if one is not there.
void print_rows(Session& session, Projection columns, std::span<const uint64_t> rows);

}  // namespace heron::cli
