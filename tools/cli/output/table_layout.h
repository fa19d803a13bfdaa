// A table of aligned columns, written line by line. The widths are set by the rows measured first;
// wider values that follow are cut on a terminal, and elsewhere only break the alignment. On a
// narrow terminal, long texts are cut first; then columns in the middle are left out, with an
// ellipsis.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/row_writer.h"
#include "output/sink.h"

namespace heron::cli {

class TableLayout {
 public:
  struct Heading {
    std::string name;
    bool is_number;  // right-aligned, and never cut
  };
  TableLayout(TextSink& sink, Display display, std::vector<Heading> headings);

  // The columns that may be shown: only these are measured and written.
  const std::vector<uint64_t>& shown() const noexcept { return shown_; }

  // The number of rows that are worth measuring.
  static constexpr uint64_t kMeasuredRows = 1000;
  // Measures a cell; `i` is an index in shown(). Call it before start().
  void measure(uint64_t i, std::string_view text);
  // Determines the widths. shown() may have become shorter.
  void fit();
  // Returns how many columns are not shown.
  uint64_t left_out() const noexcept { return headings_.size() - shown_.size(); }
  // Fits the columns and writes the heading.
  void start();

  // Writes the cells of a line, in the order of shown(), then its end.
  void cell(uint64_t i, std::string_view text, bool is_null = false);
  void end_line();

 private:
  struct Column {
    uint32_t width = 0;    // width of the measured cells
    uint32_t settled = 0;  // assigned width
  };
  void settle(uint32_t longest);
  uint64_t total() const noexcept;
  void drop_middle();
  void pad(uint64_t cells);

  TextSink& sink_;
  Display display_;
  std::vector<Heading> headings_;
  std::vector<uint64_t> shown_;  // column indices
  std::vector<Column> columns_;  // widths of the columns in shown_
  uint64_t gap_ = UINT64_MAX;    // index in shown_ before which columns are left out
  uint64_t owed_ = 0;            // pending blanks, written before the next cell
  StringSink scratch_;
};

}  // namespace heron::cli
