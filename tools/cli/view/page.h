// The cells of the rows on the screen, as text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heron/context.h"
#include "heron/table.h"
#include "heron/text.h"

namespace heron::cli {

struct ViewCell {
  std::string text = {};  // safe for a terminal, of at most ViewPage::kMaxCells cells
  uint32_t width = 0;     // width in cells
  bool is_null = false;
  bool is_damaged = false;
};

// Columns are read when they are shown, and only for the rows of the page. One thread at a time.
class ViewPage {
 public:
  static constexpr uint32_t kMaxCells = 1024;

  ViewPage(Projection columns, ValueForm form);

  // Sets the rows of the page. Cells of other rows are dropped.
  void show(std::vector<uint64_t> rows);
  const std::vector<uint64_t>& rows() const noexcept { return rows_; }

  // Returns the cells of column i of the projection, one per row; valid until show(). Reads them at
  // the first call. A cell that is damaged, or that cannot be read for another reason, is marked,
  // and error() says why. Throws only Error(Cancelled) and Error(Changed).
  const std::vector<ViewCell>& cells(uint64_t i, const Context& context);
  // Returns the text of the first Error among the cells read, without the file; empty if there is
  // none.
  const std::string& error() const noexcept { return error_; }

 private:
  std::vector<ViewCell> read(uint64_t column, const std::vector<uint64_t>& rows,
                             const Context& context) const;

  const Projection columns_;
  const ValueForm form_;
  std::vector<uint64_t> rows_;
  std::map<uint64_t, std::vector<ViewCell>> cells_;
  std::string error_;
};

}  // namespace heron::cli
