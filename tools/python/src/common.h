// Declarations that the files of the module share: calls of the engine, values as Python objects,
// rows and columns as Python names them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/heron.h"

namespace heron::python {

namespace nb = nanobind;

// ---- errors.cc ----
void bind_errors(nb::module_& module);
// Raises the error that heron._words.refusal() makes for an argument that is not of that kind,
// which is a type as in nanobind's signatures.
[[noreturn]] void refuse_argument(std::string_view name, std::string_view kind, nb::handle value);

template <class T>
constexpr std::string_view kind_of() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (std::is_integral_v<T>) return "int";
  if constexpr (std::is_same_v<T, std::string>) return "str";
  if constexpr (std::is_same_v<T, nb::dict>) return "dict";
  return "collections.abc.Sequence[str]";
}

// Returns the value of an argument of that name.
template <class T>
T argument(std::string_view name, nb::handle value) {
  T out{};
  if (!nb::try_cast(value, out)) refuse_argument(name, kind_of<T>(), value);
  return out;
}

// ---- context.cc: calls that may take long ----
// Keeps the main thread, which gets Ctrl-C, also in child processes. Called when the module loads.
void watch_signals();

// While it lives on the main thread, Ctrl-C sets `flag`; Python's own handler is notified as well.
class InterruptWatch {
 public:
  explicit InterruptWatch(std::atomic<bool>& flag, bool any_thread = false);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  int slot_;
};
bool on_main_thread() noexcept;
// Calls `work` without the GIL; Ctrl-C sets `cancel`, and the exception of Python's own handler is
// then raised.
void interruptible(std::atomic<bool>& cancel, const std::function<void()>& work);

// Returns the kernel's clock, which ticks every 4 ms or more often, as the times of files do. Takes
// some nanoseconds: for calls that are quicker than keep_fault_handler() and a check of the file.
int64_t tick_of_the_clock() noexcept;

// Options that all calls of a file share.
struct CallOptions {
  unsigned threads = 0;
  nb::object progress;  // None, or a function (done, total)
  std::shared_ptr<QueryMetrics> metrics;
  std::string file;  // named in warnings
};

// Warns the caller of the package, in a line that names the file.
void warn(const std::string& file, const std::string& note);

// One call of the engine: its Context, with Ctrl-C, notes and progress. Used through run().
class EngineCall {
 public:
  explicit EngineCall(const CallOptions& options);
  const Context& context() const noexcept { return context_; }
  // Calls `work` without the GIL. Then, with the GIL, warns with the notes.
  void run(const std::function<void(const Context&)>& work);

 private:
  void report(uint64_t done, uint64_t total);
  void finish();

  const CallOptions& options_;
  std::atomic<bool> cancel_{false};
  Context context_;
  std::mutex mutex_;  // guards the members below
  std::vector<std::string> notes_;
  uint64_t next_report_ = 0;
  std::exception_ptr raised_;
};

template <class Work>
auto engine_call(const CallOptions& options, const Work& work) {
  using Result = decltype(work(std::declval<const Context&>()));
  EngineCall call(options);
  if constexpr (std::is_void_v<Result>) {
    call.run([&](const Context& context) { work(context); });
  } else {
    std::optional<Result> result;
    call.run([&](const Context& context) { result.emplace(work(context)); });
    return *std::move(result);
  }
}

// ---- values.cc: values as Python objects ----
nb::object text_object(std::string_view text);  // bytes that are not UTF-8 become U+FFFD
nb::object integer_time(const Type& type, int64_t stored);  // converts dates, times and durations
nb::object value_object(const Values& values, uint64_t row);
// Returns a decimal.Decimal.
nb::object decimal_object(const WideInteger& units, const Type& type);
nb::object scalar_object(const Type& type, const Scalar& scalar);
nb::dict row_dict(const RowBatch& batch, uint64_t row);
// Converts a value to search in a column of that type.
Scalar scalar_of(const Type& type, nb::handle value);

// ---- rows.cc: row numbers ----
// A list of row numbers, or a range of rows.
struct RowList {
  std::optional<RowRange> range;
  std::vector<uint64_t> list;
  std::span<const uint64_t> view;  // a view of `list`, or of a buffer that `keep` holds
  nb::object keep;
  uint64_t size() const noexcept { return range ? range->rows() : view.size(); }
};
// Converts a number, slice, range, sequence, or one-dimensional buffer of integers or bools to
// rows. Negative numbers count from the end. Throws IndexError, TypeError.
RowList rows_of(nb::handle rows, uint64_t table_rows);
// Converts one row number. Throws as rows_of() does; a bool is not a row number.
uint64_t row_of(nb::handle row, uint64_t table_rows);

// Integers of a one-dimensional buffer of int32 or int64, or of a list or tuple.
class Integers {
 public:
  explicit Integers(nb::handle object);
  ~Integers();
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;

  // Returns false if the object is something else, or holds something else.
  bool read() const noexcept { return read_; }
  std::span<const int64_t> view() const noexcept { return view_; }

 private:
  bool read_buffer(nb::handle object);
  bool read_list(nb::handle object);

  std::span<const int64_t> view_;  // a view of the copies or of the buffer
  std::vector<int64_t> copies_;
  Py_buffer buffer_{};
  bool read_ = false;
};

// ---- reader.cc: single rows ----
// Reads rows of a projection as tuples or dicts. Used with the GIL held; it is released while a row
// is read that is not in memory.
class RowReader {
 public:
  explicit RowReader(Projection columns);
  ~RowReader();
  PyObject* tuple(uint64_t row);
  PyObject* dict(uint64_t row);
  PyObject* value(uint64_t row);  // the value of the only column
  const Projection& columns() const noexcept { return columns_; }

 private:
  struct Cell;
  template <class Begin, class Put>
  void read(uint64_t row, const Begin& begin, const Put& put);
  PyObject* key_value(const Cell& cell, uint64_t stored);

  Projection columns_;
  std::optional<RowView> view_;
  std::vector<Cell> cells_;
  std::optional<uint64_t> a_text_;    // index of a text column in the view
  std::optional<Projection> others_;  // the columns that the view cannot show
  RowBatch other_values_;
  RowBatch key_values_;
  std::vector<nb::object> names_;
  nb::dict empty_row_;  // all names, in their order
  std::mutex mutex_;    // held while the GIL is released
  bool slow_ = false;
  int64_t checked_tick_ = -1;  // last check of fault handler and file, unless slow_
};

// ---- tables.cc ----
struct Data;
void bind_tables(nb::module_& module);
// Raises the exception that is being handled, for functions that nanobind does not call. Returns
// null.
PyObject* raise_current() noexcept;
// ---- describe.cc ----
// Returns (name, type, encoding, nullable, readable, reason, metadata) of each field.
nb::list field_tuples(const Schema& schema);
// ---- batch.cc ----
struct Batch {
  RowBatch rows;
  ArrowOptions arrow;
};
void bind_batch(nb::module_& module);
// ---- capsules.cc ----
// only_column: the query has one column, and the stream has its arrays, not structs of it.
nb::object stream_capsule(const Query& query, const ArrowOptions& options, const CallOptions& call,
                          bool only_column);
nb::object batches_capsule(const RowBatch& batch, std::optional<uint64_t> column,
                           const ArrowOptions& options);
nb::object schema_capsule(const Schema& schema, const ArrowOptions& options);
nb::tuple array_capsules(const RowBatch& batch, std::optional<uint64_t> column,
                         const ArrowOptions& options);
ArrowOptions arrow_options(std::string_view times, bool binary_text);
ArrowTexts arrow_texts(std::string_view layout);  // "stored", "large" or "views"
// ---- query.cc ----
void bind_query(nb::module_& module);
// ---- sampler.cc ----
void bind_sampler(nb::module_& module);
// ---- loader.cc ----
void bind_loader(nb::module_& module);
// ---- aggregate.cc ----
void bind_aggregate(nb::module_& module);
// ---- splits.cc ----
void bind_splits(nb::module_& module);
// ---- write.cc ----
void bind_write(nb::module_& module);
nb::dict report_dict(const ConvertReport& report);
// Takes the stream out of an object's capsule.
ArrowArrayStream stream_of(nb::handle object);
// ---- forest.cc ----
void bind_forest(nb::module_& module);
// ---- forest_writer.cc ----
void bind_forest_writer(nb::module_& module);
// ---- stream_notes.cc ----
// Returns a line for each property of the columns of a stream that is lost at import: names that
// change, what extension types mean, and time zones unless the file at `path` stores them. None for
// a stream whose import throws. Leaves the stream unchanged.
std::vector<std::string> stream_notes(ArrowArrayStream& stream, const std::string& path);
// ---- cells.cc ----
void bind_cells(nb::module_& module);
// Returns numbers as int64, where -1 means none, or as uint64.
nb::object numbers_object(std::vector<uint64_t> numbers, bool is_unsigned = false);
nb::object numbers_object(std::shared_ptr<const void> owner, std::span<const uint64_t> numbers,
                          bool is_unsigned = false);
// Returns a matrix, row by row, which is writable.
nb::object matrix_object(std::shared_ptr<const void> owner, std::span<float> elements,
                         uint64_t rows);
nb::object matrix_object(std::shared_ptr<const void> owner, std::span<double> elements,
                         uint64_t rows);
nb::object values_cells(const RowBatch& batch, uint64_t column);
std::optional<nb::object> mapped_cells_object(const std::shared_ptr<const Table>& table,
                                              uint64_t column);

}  // namespace heron::python
