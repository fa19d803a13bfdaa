// Reports: short tables that the program itself makes, such as that of `stats`. Their rows are made
// of cells, and written by the writers of row_writer.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heron/schema.h"
#include "heron/values.h"
#include "output/row_writer.h"

namespace heron::cli {

// The columns of a report. A column of texts may have values of any type, as `min` of `stats` has;
// a table aligns a column of numbers right, even if they are rounded and therefore texts.
Field text_column(std::string name);
Field number_column(std::string name);
// A column of texts that are JSON: -o json prints them as values, not as strings.
Field json_column(std::string name);

// A value of any type; null unless one is given.
struct Cell {
  Cell() = default;
  Cell(std::string_view text) : Cell(Type::Text, Scalar(std::string(text))) {}  // NOLINT
  Cell(const std::string& text) : Cell(std::string_view(text)) {}               // NOLINT
  Cell(const char* text) : Cell(std::string_view(text)) {}                      // NOLINT
  Cell(std::same_as<bool> auto truth) : Cell(Type::Bool, Scalar(truth)) {}      // NOLINT
  Cell(uint64_t number) : Cell(Type::UInt64, Scalar(number)) {}                 // NOLINT
  Cell(double number) : Cell(Type::Float64, Scalar(number)) {}                  // NOLINT
  template <class Value>
  Cell(const std::optional<Value>& from) {  // NOLINT
    if (from) *this = Cell(*from);
  }
  // A value of a column of that type, such as its minimum.
  Cell(const Type& of, Scalar from);

  bool is_null() const noexcept { return type.is(Type::Null); }

  Type type;
  Scalar value;
};

// Returns the number, in a table rounded to six digits: a table is for people.
Cell rounded(const std::optional<double>& number, const OutputForm& form);

// Returns a batch of one row.
RowBatch row_of(const std::vector<Cell>& cells);

// Makes the writer of a report, in any form but npy. A table shows all columns: where a terminal is
// too narrow for them, rows are written one under the other.
std::unique_ptr<RowWriter> make_report_writer(const OutputForm& form, TextSink& sink,
                                              const Schema& schema);

}  // namespace heron::cli
