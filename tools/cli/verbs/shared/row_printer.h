// Prints rows in the requested form, for all verbs that print rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "heron/context.h"
#include "heron/query.h"
#include "heron/table.h"
#include "heron/values.h"
#include "output/row_writer.h"
#include "session.h"

namespace heron::cli {

class RowPrinter {
 public:
  // `rows` is the number of rows to print.
  RowPrinter(Session& session, Projection columns, uint64_t rows);

  // Prints the rows of a query, streaming, with the printer's columns.
  void show(Query query);
  void show(RowRange rows);
  // Prints rows by number, all in range.
  void show(std::span<const uint64_t> rows);
  // Called after the last row.
  void finish();

 private:
  // Returns a context whose progress covers this many further rows.
  Context context_of(uint64_t rows) const;
  void write(const RowBatch& batch, std::span<const uint64_t> numbers);

  Session& session_;
  Projection columns_;
  uint64_t rows_;            // total number of rows
  uint64_t shown_rows_ = 0;  // number of rows printed by number
  uint64_t batch_rows_;
  std::unique_ptr<RowWriter> writer_;
  RowBatch batch_;     // reused memory
  RowBatch numbered_;  // `batch_` with row numbers as the first column
};

// Prints one range. A whole table is read without a limit, so that --max-decode applies.
void print_rows(Session& session, Projection columns, RowRange rows);
void print_all_rows(Session& session, Projection columns);
// Prints rows by number. Throws Error(Argument) before anything is printed if one is out of range.
void print_rows(Session& session, Projection columns, std::span<const uint64_t> rows);

}  // namespace heron::cli
