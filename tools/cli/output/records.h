// Short tables that the program itself makes, of cells that are already text: stats, schema.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heron/schema.h"
#include "heron/values.h"
#include "output/row_writer.h"
#include "output/sink.h"
#include "output/table_layout.h"

namespace heron::cli {

// A cell in text and in JSON.
struct RecordCell {
  std::string text = "null";
  std::string json = "null";
  bool is_null = true;
  bool is_text = false;  // the value is not a number, date or the like
};
RecordCell text_cell(std::string_view text);
RecordCell number_cell(uint64_t number);
RecordCell number_cell(double number);
// Returns a number for a table, which is for people: six digits.
RecordCell rounded_cell(const std::optional<double>& number, const OutputForm& form);
RecordCell bool_cell(bool value);
// Returns a value of a column of that type; `raw` as in ValueForm.
RecordCell value_cell(const Type& type, const Scalar& value, bool raw);
RecordCell value_cell(const Values& values, uint64_t row, bool raw);

class RecordWriter {
 public:
  virtual ~RecordWriter() = default;
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  // Writes a record of one cell per heading.
  virtual void write(std::vector<RecordCell> cells) = 0;
  virtual void finish() = 0;

 protected:
  RecordWriter() = default;
};

// Makes the writer of a form: table, vertical, json, jsonl or csv. A table that would have to leave
// columns out for a terminal is vertical.
std::unique_ptr<RecordWriter> make_record_writer(const OutputForm& form, TextSink& sink,
                                                 std::vector<TableLayout::Heading> headings);

}  // namespace heron::cli
