// Writes files in a format's own form, in one pass over batches of rows, and builds batches of a
// program's own values:
//
//   using heron::nullable_field, heron::Type;
//   heron::BatchBuilder builder({nullable_field("id", Type::Int64),
//                                nullable_field("tags", Type::list(Type::Text))});
//   builder[0].append(7);
//   builder[1].items().append("new");
//   builder[1].append_list();
//   writer->write(builder.finish());
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/formats.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct WriteOptions {
  static constexpr uint64_t kUnknownRows = UINT64_MAX;

  std::string format = {};  // a format's name; empty: by the ending of the path
  // The number of rows, if known: the file is then written in place, else columns are spilled to
  // temporary files first. Any other number of rows is then Error(Argument).
  uint64_t rows = kUnknownRows;
  // Whether to replace a file of that name; else it is Error(Write).
  bool replace = false;
  // How many leading columns are the key by which the rows are sorted and unique. Rows that violate
  // this are Error(Argument); a format that does not store keys is Error(Unsupported).
  uint64_t key_columns = 0;
  // Options of the format that is written; those of another are Error(Argument).
  FormatOptions format_options = {};

  void set(std::string_view name, OptionValue value) {
    format_options.set(name, std::move(value));
  }
};

// Changes to a column's values by a format that rounds, or that holds only UTF-8 texts.
struct ColumnLoss {
  uint64_t column = 0;   // index in the schema
  uint64_t changed = 0;  // rows whose value changed; texts may be items of the same row
  double largest = 0;    // the largest difference; 0 for texts
};

// Takes batches of the schema that it was created with. publish() makes the file appear under its
// name, whole and synced; before, or if the writer is destroyed without it, no file appears. One
// thread at a time. Memory does not grow with rows.
class HERON_EXPORT Writer {
 public:
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Throws Error: Argument (other schema), Write, Limit (more than the format can hold).
  virtual void write(const RowBatch& batch) = 0;
  // Finishes the content of the file; publish() syncs it and gives it its name.
  virtual void close() = 0;
  // Call it after close(). Throws Error(Write) if the name exists, unless WriteOptions::replace;
  // create() throws it already if the name exists then.
  virtual void publish() = 0;
  virtual uint64_t bytes_written() const = 0;
  // Every column with a changed value; call it after close().
  virtual std::vector<ColumnLoss> losses() const { return {}; }

 protected:
  Writer() = default;
};

// Throws Error(Argument) if there is no such format, Error(Unsupported) if it cannot hold the
// schema.
HERON_EXPORT std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                                            const WriteOptions& options = {},
                                            const Context& context = {});

// Returns a nullable field for a new schema.
HERON_EXPORT Field nullable_field(std::string name, Type type);

// Appends the values of one column, row by row. One thread at a time. A value of another type, or a
// number that the column's type cannot hold exactly, is Error(Argument) and appends nothing.
class HERON_EXPORT ColumnBuilder {
 public:
  ~ColumnBuilder();
  ColumnBuilder(ColumnBuilder&&) noexcept;
  ColumnBuilder& operator=(ColumnBuilder&&) noexcept;

  uint64_t rows() const noexcept;
  void append_null();
  // Appends a bool; an integer, also for dates (days), times and durations (their ticks); a float;
  // a text. A literal 7 is for columns of integers, 7.0 for those of floats.
  template <class T>
  requires std::integral<T> || std::floating_point<T>
  void append(T value) {
    if constexpr (std::same_as<T, bool>) {
      append_bool(value);
    } else if constexpr (std::floating_point<T>) {
      append_float(value);
    } else if constexpr (std::signed_integral<T>) {
      append_signed(value);
    } else {
      append_unsigned(value);
    }
  }
  void append(std::string_view text);
  void append(const char* text) { append(text_at(text)); }
  void append(const DateTimeOffset& value);
  void append(const RowId& value);
  void append(const WideInteger& value);  // the units of a decimal

  // The builder of the items of a list's next row, which append_list() ends. A row without items is
  // empty; append_null() is Error(Argument) if items were appended.
  ColumnBuilder& items();
  void append_list();

 private:
  friend class BatchBuilder;
  struct Impl;
  ColumnBuilder(std::string name, Type type);
  explicit ColumnBuilder(std::unique_ptr<Impl> impl);
  void append_bool(bool value);
  void append_signed(int64_t value);
  void append_unsigned(uint64_t value);
  void append_float(double value);

  std::unique_ptr<Impl> impl_;
};

// Builds batches, a ColumnBuilder for each column. One thread at a time.
class HERON_EXPORT BatchBuilder {
 public:
  // Memory of finished batches is charged to the Context's budget. Throws Error(Unsupported) for
  // keys and vectors, and for lists of them.
  explicit BatchBuilder(Schema schema, Context context = {});
  ~BatchBuilder();
  BatchBuilder(BatchBuilder&&) noexcept;
  BatchBuilder& operator=(BatchBuilder&&) noexcept;

  // Throws Error(Argument) if there is no such column.
  ColumnBuilder& operator[](uint64_t column);
  // The number of rows of the shortest column.
  uint64_t rows() const noexcept;

  // Returns all rows so far, copied once, and leaves the builder empty. Throws Error: Argument
  // (columns of different lengths, a list that was not ended), Limit (2 GiB or more of text, or
  // 2^31 or more items, in a type that is not large; memory); the builder then stays as it was.
  RowBatch finish();

 private:
  std::shared_ptr<const Schema> schema_;
  Context context_;
  std::vector<ColumnBuilder> columns_;
};

}  // namespace heron::inline v0
