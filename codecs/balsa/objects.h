// Walks over the headers of a file and finds the objects: their offsets and shapes.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "balsa/header.h"

namespace heron::inline v0::balsa {

// A table whose cells are stored row by row and were checked to be inside the file.
struct CellTable {
  uint64_t offset = 0;
  uint64_t cells = 0;  // offset of the cells
  uint64_t rows = 0;
  uint64_t columns = 0;
  const Scalar* scalar = nullptr;

  uint64_t row_bytes() const noexcept { return columns * scalar->bytes; }
};

// The offset, size and shape of a tree.
struct Tree {
  uint64_t offset = 0;
  std::array<uint64_t, kArrays> arrays{};  // offsets of the arrays' cells
  uint32_t nodes = 0;                      // in a damaged tree: rows of its first table
  uint8_t class_count = 0;
  uint8_t feature_count = 0;
  bool wide = false;                    // split values are fl64
  bool walked = false;                  // this walk read all headers of the tree
  std::unique_ptr<const Error> damage;  // why arrays do not match; null if they do
};

struct Ensemble {
  uint64_t offset = 0;
  uint8_t class_count = 0;
  uint8_t feature_count = 0;
  bool is_lone_tree = false;  // the ensemble stands for a tree at top level
  std::vector<Tree> trees;
};

using Object = std::variant<CellTable, Tree, Ensemble>;

// Returns the objects from the reader's position to the end of the file. Throws Error: Corrupt if
// the walk cannot continue (the later objects would be lost), Unsupported for undefined types and
// for the early draft. A tree whose arrays do not match is kept with its damage, and the walk
// continues behind it.
//
// Most trees are skipped in one step, by the shape of their first table: their arrays are then
// assumed at the offsets that every known writer produces.
std::vector<Object> all_objects(HeaderReader& reader);

// Reads the headers of a tree that was skipped. Throws its damage if its arrays do not match each
// other, or differ from `tree`.
void check_headers(const Tree& tree, const ByteSource& bytes, std::endian order,
                   const Context& context);

}  // namespace heron::inline v0::balsa
