// Writes rows as a table for people. Memory does not grow with the rows: the first ones determine
// the widths.
#include <algorithm>
#include <vector>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/text.h"
#include "output/row_writer.h"
#include "output/table_layout.h"

namespace heron::cli {
namespace {

std::vector<TableLayout::Heading> headings(const Schema& schema) {
  std::vector<TableLayout::Heading> all;
  for (const Field& field : schema) {
    all.push_back({field.name, field.type.is_integer() || field.type.is_float()});
  }
  return all;
}

class TableRows final : public RowWriter {
 public:
  TableRows(TextSink& sink, const Schema& schema, ValueForm values, Display display)
      : sink_(sink), form_(values), display_(display), layout_(sink, display, headings(schema)) {}

  void write(const RowBatch& batch) override {
    if (batch.columns.empty()) return write_empty_rows(batch.rows);
    prepare(batch);
    if (!started_) {
      measure(std::min(batch.rows, TableLayout::kMeasuredRows));
      start();
      prepare(batch);
    }
    for (uint64_t row = 0; row < batch.rows; ++row) {
      for (uint64_t i = 0; i < columns_.size(); ++i) {
        layout_.cell(i, text(columns_[i], row), columns_[i].is_null(row));
      }
      layout_.end_line();
    }
  }

  void finish() override {
    if (!started_ && !layout_.shown().empty()) start();
    if (layout_.left_out() > 0 && display_.note) note_left_out();
  }

 private:
  // Passes on a note that, with "heron: " in front, fits in a line of the same terminal.
  void note_left_out() {
    const uint64_t count = layout_.left_out();
    const std::string brief = concat(count, count == 1 ? " column" : " columns", " left out");
    const std::string full = concat(brief, "; -o vertical shows all, --columns chooses");
    constexpr uint64_t kInFront = 7;
    display_.note(kInFront + full.size() <= display_.width.value_or(UINT32_MAX) ? full : brief);
  }

  void write_empty_rows(uint64_t rows) {
    for (; rows > 0; --rows) sink_.append("{}\n");
  }

  void prepare(const RowBatch& batch) {
    columns_.clear();
    for (uint64_t i : layout_.shown()) columns_.emplace_back(batch.columns[i], form_);
  }

  void measure(uint64_t rows) {
    for (uint64_t i = 0; i < columns_.size(); ++i) {
      for (uint64_t row = 0; row < rows; ++row) layout_.measure(i, text(columns_[i], row));
    }
  }

  void start() {
    layout_.start();
    started_ = true;
  }

  std::string_view text(const ColumnText& column, uint64_t row) {
    if (column.is_null(row)) return "null";
    scratch_.clear();
    column.append_plain(scratch_, row);
    return scratch_.text();
  }

  TextSink& sink_;
  ValueForm form_;
  Display display_;
  bool started_ = false;
  TableLayout layout_;
  StringSink scratch_;
  std::vector<ColumnText> columns_;
};

}  // namespace

std::unique_ptr<RowWriter> make_table_rows(TextSink& sink, const Schema& schema, ValueForm values,
                                           Display display) {
  return std::make_unique<TableRows>(sink, schema, values, display);
}

}  // namespace heron::cli
