#include "view/page.h"

#include <algorithm>
#include <span>

#include "base/utf8.h"
#include "heron/error.h"
#include "heron/take.h"
#include "output/printable.h"

namespace heron::cli {
namespace {

constexpr uint64_t kMaxItems = 200;     // maximum of lists and vectors
constexpr size_t kMaxBytes = 16 * 1024;  // maximum of a text
constexpr std::string_view kDamaged = "<damaged>";

// Returns the beginning of a long text, up to a whole character.
std::string_view beginning(std::string_view text) {
  if (text.size() <= kMaxBytes) return text;
  size_t end = kMaxBytes;
  while (end > kMaxBytes - 4 && continues_utf8(text[end])) --end;
  return text.substr(0, end);
}

// Returns whether an error concerns only the cell.
bool is_of_cell(const Error& error) {
  return error.kind() != ErrorKind::Cancelled && error.kind() != ErrorKind::Changed;
}

ViewCell cell_of_text(std::string_view text) {
  StringSink sink;
  ViewCell cell;
  cell.width = append_printable(sink, text, ViewPage::kMaxCells);
  cell.text = sink.text();
  return cell;
}

}  // namespace

ViewPage::ViewPage(Projection columns, ValueForm form)
    : columns_(std::move(columns)),
      form_{.raw = form.raw, .sparse = form.sparse, .max_items = kMaxItems} {}

void ViewPage::show(std::vector<uint64_t> rows) {
  if (rows == rows_) return;
  rows_ = std::move(rows);
  cells_.clear();
  error_.clear();
}

const std::vector<ViewCell>& ViewPage::cells(uint64_t i, const Context& context) {
  const auto known = cells_.find(i);
  if (known != cells_.end()) return known->second;
  std::vector<ViewCell> cells;
  try {
    cells = read(i, rows_, context);
  } catch (const Error& error) {
    if (!is_of_cell(error)) throw;
    if (error_.empty()) error_ = error.message();
    // Reads cell by cell: other cells may be readable.
    for (const uint64_t row : rows_) {
      try {
        cells.push_back(read(i, {row}, context).front());
      } catch (const Error& of_cell) {
        if (!is_of_cell(of_cell)) throw;
        cells.push_back(cell_of_text(kDamaged));
        cells.back().is_damaged = true;
      }
    }
  }
  return cells_.emplace(i, std::move(cells)).first->second;
}

std::vector<ViewCell> ViewPage::read(uint64_t column, const std::vector<uint64_t>& rows,
                                     const Context& context) const {
  Context alone = context;
  alone.progress = nullptr;
  const Projection one(columns_.table(), {columns_.indices()[column]});
  const RowBatch batch = take(one, rows, alone);
  const ColumnText texts(batch.columns[0], form_);
  std::vector<ViewCell> cells;
  StringSink sink;
  for (uint64_t row = 0; row < batch.rows; ++row) {
    if (texts.is_null(row)) {
      cells.push_back({.text = "null", .width = 4, .is_null = true});
      continue;
    }
    if (texts.is_text()) {
      cells.push_back(cell_of_text(beginning(texts.text(row))));
      continue;
    }
    sink.clear();
    texts.append_plain(sink, row);
    cells.push_back(cell_of_text(beginning(sink.text())));
  }
  return cells;
}

}  // namespace heron::cli
