#include "table/check_rows.h"

#include <algorithm>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "table/internals.h"

namespace heron::inline v0 {

void check_rows(const Table& table, std::span<const uint64_t> rows) {
  const uint64_t end = internals(table).rows();
  uint64_t out = 0;
  for (const uint64_t row : rows) out += row >= end;
  if (out == 0) return;
  const uint64_t row =
      *std::find_if(rows.begin(), rows.end(), [=](uint64_t r) { return r >= end; });
  fail_no_such(table, "row", row, end);
}

void check_rows(const Table& table, RowRange rows) {
  if (rows.first > rows.last || rows.last > table.rows()) {
    fail(ErrorKind::Argument, bytes_of(table).name(), "no rows ", rows.first, ':', rows.last,
         " in table \"", table.name(), "\": expected first <= last <= ", table.rows());
  }
}

}  // namespace heron::inline v0
