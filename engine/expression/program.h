// An expression in the form in which it is computed: its parts in a list, each different one once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expression/expression.h"
#include "expression/source_text.h"

namespace heron::inline v0 {

// Immutable, thread-safe.
class Program {
 public:
  struct Node {
    Expression expression;        // without the parts of its parts
    std::vector<uint32_t> parts;  // nodes before this one
    // Whether this is a column of floats with the following property: if its NaNs that are nulls
    // are taken for values, they only make results NaN; so without a NaN in the result, the column
    // has none.
    bool shows_nans = false;
  };

  // Copies what it needs of both arguments.
  Program(const Expression& expression, const SourceText& source);

  const std::vector<Node>& nodes() const noexcept { return nodes_; }
  const Node& root() const noexcept { return nodes_.back(); }
  const Type& type() const noexcept { return root().expression.type; }
  // The text that errors of rows show.
  SourceText source() const noexcept { return {file_, what_, text_}; }
  // Returns whether any node shows NaNs.
  bool shows_nans() const noexcept { return shows_nans_; }
  // The columns that it reads, ascending, each once.
  const std::vector<uint64_t>& columns() const noexcept { return columns_; }

 private:
  class Building;

  void find_shown_nans();

  std::vector<Node> nodes_;
  std::string file_, what_, text_;
  std::vector<uint64_t> columns_;
  bool shows_nans_ = false;
};

}  // namespace heron::inline v0
