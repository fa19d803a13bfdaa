// Heron's Arrow streams behind functions that any language can call, for arrow.py. Every function
// returns 0, or 1 and then bridge_error() says why.
#include <string>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/exact_value.h"

namespace {

using namespace heron;

thread_local std::string error_text;

template <class Work>
int guarded(Work work) noexcept {
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    error_text = error.what();
    return 1;
  }
}

Projection columns_of(const char* path, uint64_t table) {
  return Projection(open(path)->tables().at(table));
}

}  // namespace

extern "C" {

const char* bridge_error() {
  return error_text.c_str();
}

int bridge_tables(const char* path, uint64_t* tables) {
  return guarded([&] { *tables = open(path)->tables().size(); });
}

// `exact`: times as ticks and texts as binary, so that nothing is lost.
int bridge_export(const char* path, uint64_t table, int exact, uint64_t batch_rows,
                  ArrowArrayStream* out) {
  return guarded([&] {
    ArrowOptions options;
    options.times = exact != 0 ? ArrowTimes::Ticks : ArrowTimes::Microseconds;
    options.binary_text = exact != 0;
    options.batch_rows = batch_rows;
    export_stream(columns_of(path, table), out, options);
  });
}

// Checks that a stream has the columns and values of a table.
int bridge_compare(const char* path, uint64_t table, ArrowArrayStream* stream) {
  return guarded([&] {
    const ExactTable got = exact_table(*arrow_rows(stream));
    const ExactTable expected = exact_table(*table_rows(columns_of(path, table)));
    if (got.rows != expected.rows || got.schema.size() != expected.schema.size()) {
      fail(ErrorKind::Argument, path, "expected ", expected.rows, " rows of ",
           expected.schema.size(), " columns, got ", got.rows, " of ", got.schema.size());
    }
    for (uint64_t i = 0; i < expected.schema.size(); ++i) {
      const Field& field = expected.schema[i];
      // Keys with values are exported as these; then only the values are compared.
      const bool may_differ = field.type.name().find("key<") != std::string::npos;
      if (got.schema[i].name != field.name || (got.schema[i].type != field.type && !may_differ)) {
        fail(ErrorKind::Argument, path, "expected \"", field.name, "\" ", field.type.name(),
             ", got \"", got.schema[i].name, "\" ", got.schema[i].type.name());
      }
      for (uint64_t row = 0; row < expected.rows; ++row) {
        const ExactValue &value = got.columns[i][row], &was = expected.columns[i][row];
        if (value == was) continue;
        fail(ErrorKind::Argument, path, "column \"", field.name, "\" row ", row, ": expected ",
             words(was), ", got ", words(value));
      }
    }
  });
}

int bridge_convert(ArrowArrayStream* stream, const char* out) {
  return guarded([&] { convert(arrow_rows(stream), out); });
}

}  // extern "C"
