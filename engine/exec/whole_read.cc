#include "exec/whole_read.h"

#include <algorithm>

#include "base/fail.h"
#include "base/hints.h"
#include "bytes/byte_source.h"
#include "format/table_source.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Without shared bytes, a whole read is limited by DEFLATE's best ratio; a small file may share.
constexpr uint64_t kMaxPerByte = 1'100;
constexpr uint64_t kMaxOfSmallFile = uint64_t{4} << 30;
constexpr uint64_t kMaxIndexedOfSmallFile = uint64_t{1} << 24;

uint64_t most_deflated(uint64_t bytes) noexcept {
  return std::min(bytes, UINT64_MAX / kMaxPerByte) * kMaxPerByte;
}

}  // namespace

void check_whole_read(const Table& table, std::span<const uint64_t> columns,
                      const Context& context) {
  const ByteSource& bytes = bytes_of(table);
  const uint64_t most = std::max(kMaxOfSmallFile, most_deflated(bytes.size()));
  unless_changed(bytes, [&] {
    bytes.check_whole_read();
    uint64_t left = most;
    for (const uint64_t column : columns) {
      const uint64_t of_column = internals(table).source().whole_bytes(column, context);
      if (of_column > left) {
        fail_with_hint(ErrorKind::Limit, hint::kReduceColumns, bytes.name(),
                       "columns share too much: together they have more than ", most,
                       " bytes to be read, in a file of ", bytes.size());
      }
      left -= of_column;
    }
  });
}

uint64_t most_indexed(uint64_t file_bytes) noexcept {
  return std::max(kMaxIndexedOfSmallFile, most_deflated(file_bytes));
}

void check_stored(const Table& table, std::span<const uint64_t> columns, uint64_t rows) {
  if (rows <= kMaxEmptyRows) return;
  const bool stores_nothing = std::all_of(columns.begin(), columns.end(), [&](uint64_t i) {
    return internals(table).column(i).type().is(Type::Null);
  });
  if (!stores_nothing) return;
  fail_with_hint(ErrorKind::Limit, hint::kLimit, bytes_of(table).name(), "table \"", table.name(),
                 "\" claims ", rows, " rows and stores nothing for them; at most ", kMaxEmptyRows,
                 " such rows are read without a limit");
}

}  // namespace heron::inline v0
