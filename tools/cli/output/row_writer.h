// The interface of all output forms: batches of rows in, text or a matrix out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "heron/text.h"
#include "heron/values.h"
#include "output/sink.h"

namespace heron::cli {

// The encoding of a column of texts that are JSON: -o json prints them as values, not as strings.
inline constexpr std::string_view kJsonText = "JSON text";

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  // Writes a batch of the writer's columns. Their types may differ from those of the schema, and
  // from batch to batch, unless the form is npy. Nothing is written before the first call.
  virtual void write(const RowBatch& batch) = 0;
  // Writes the end, and the beginning if there was no row.
  virtual void finish() = 0;

 protected:
  RowWriter() = default;
};

// The limits of a terminal; none for a file or pipe.
struct Display {
  std::optional<uint32_t> width;  // width in cells; nullopt: unlimited
  bool colour = false;
  std::function<void(std::string_view)> note = nullptr;  // receives how many columns do not fit
};

struct NpyForm {
  bool float64 = false;                        // cells are float64, else float32
  bool exact = false;                          // refuse numbers that would change, else count them
  std::function<void(std::string_view)> note;  // receives the number of changes
};

// Returns whether a form is for people, not for programs: it escapes terminal controls by itself,
// and uses colours.
inline bool is_for_people(std::string_view form) noexcept {
  return form == "table" || form == "vertical";
}

struct OutputForm {
  std::string name;  // table vertical json jsonl csv npy
  ValueForm values;
  NpyForm npy;
  Display display;                                       // limits of table and vertical
  std::function<void(std::string_view)> note = nullptr;  // receives which shapes csv and npy lose
};

// Passes on one note per vector of several dimensions, whose slots csv and npy write in a row.
void note_lost_shapes(const Schema& schema, const std::function<void(std::string_view)>& note);

// Makes the writer of a form. Reads the schema in this call only. `rows` is the number of rows to
// come; only npy, whose header has it, checks it. Throws Error(Argument) for npy of columns other
// than numbers or vectors of them; its write() throws Error(Limit) for a number that would change,
// if `exact`.
std::unique_ptr<RowWriter> make_row_writer(const OutputForm& form, TextSink& sink,
                                           const Schema& schema, uint64_t rows);

// The writers, each in a file of its name.
std::unique_ptr<RowWriter> make_table_rows(TextSink&, const Schema&, ValueForm, Display);
std::unique_ptr<RowWriter> make_vertical_rows(TextSink&, const Schema&, ValueForm, Display);
std::unique_ptr<RowWriter> make_json_rows(TextSink&, const Schema&, ValueForm, bool lines);
std::unique_ptr<RowWriter> make_csv_rows(TextSink&, const Schema&, ValueForm);
std::unique_ptr<RowWriter> make_npy_rows(TextSink&, const Schema&, NpyForm, uint64_t rows);

}  // namespace heron::cli
