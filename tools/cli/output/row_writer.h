// The seam of all output forms: batches of rows in, text or a matrix out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "heron/values.h"
#include "output/sink.h"
#include "output/values_text.h"

namespace heron::cli {

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  // Batches all have the schema the writer was made with. Nothing is written before the first one.
  virtual void write(const RowBatch& batch) = 0;
  // What comes behind the last row, and before the first if there was none.
  virtual void finish() = 0;

 protected:
  RowWriter() = default;
};

// What a terminal can show; a file or pipe takes everything.
struct Display {
  std::optional<uint32_t> width;  // in cells; nothing: no end
  bool colour = false;
  std::function<void(std::string_view)> note = nullptr;  // hears how many columns do not fit
};

struct NpyForm {
  bool float64 = false;  // cells, else float32
  bool exact = false;    // numbers that would change are refused, else counted
  std::function<void(std::string_view)> note;  // hears how many there were
};

struct OutputForm {
  std::string name;  // table vertical json jsonl csv npy
  ValueForm values;
  NpyForm npy;
  Display display;  // of table and vertical
};

// The schema is read here only. `rows` is how many will come; only npy, whose header says it, holds
// the caller to it. Throws Error(Argument) for npy of columns that are not numbers or vectors of
// them; its write() throws Error(Limit) for a number that would change, where that is refused.
std::unique_ptr<RowWriter> make_row_writer(const OutputForm& form, Sink& sink, const Schema& schema,
                                           uint64_t rows);

// The kinds of writers; each in a file of its own name.
std::unique_ptr<RowWriter> make_table_rows(Sink&, const Schema&, ValueForm, Display);
std::unique_ptr<RowWriter> make_vertical_rows(Sink&, const Schema&, ValueForm, Display);
std::unique_ptr<RowWriter> make_json_rows(Sink&, const Schema&, ValueForm, bool lines);
std::unique_ptr<RowWriter> make_csv_rows(Sink&, const Schema&, ValueForm);
std::unique_ptr<RowWriter> make_npy_rows(Sink&, const Schema&, NpyForm, uint64_t rows);

}  // namespace heron::cli
