// The objects of a file, found by walking over their headers: where each lies and of what shape it
// is.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "balsa/header.h"

namespace heron::inline v0::balsa {

// Row by row, inside the file.
struct CellTable {
  uint64_t offset = 0;
  uint64_t cells = 0;  // where they begin
  uint64_t rows = 0;
  uint64_t columns = 0;
  const Scalar* scalar = nullptr;

  uint64_t row_bytes() const noexcept { return columns * scalar->bytes; }
};

// Where a tree lies and how large it is.
struct Tree {
  uint64_t offset = 0;
  std::array<uint64_t, kArrays> arrays{};  // where the cells of each begin
  uint32_t nodes = 0;                      // of a damaged one: rows of its first table
  uint8_t class_count = 0;
  uint8_t feature_count = 0;
  bool wide = false;                    // split values are fl64
  bool walked = false;                  // all its headers have been read, just now
  std::unique_ptr<const Error> damage;  // its tables do not fit each other; null if they do
};

struct Ensemble {
  uint64_t offset = 0;
  uint8_t class_count = 0;
  uint8_t feature_count = 0;
  std::vector<Tree> trees;
};

using Object = std::variant<CellTable, Tree, Ensemble>;

// The objects from the reader's place up to the end of the file. Throws Error: Corrupt where the
// walk cannot go on (what lies behind would be lost), Unsupported for types nobody has defined and
// for the early draft. A tree whose tables do not fit each other is kept with its damage: the walk
// goes on behind it.
//
// Most trees are passed over in one step, by the shape of their first table: arrays are then where
// they lie in what every known writer writes.
std::vector<Object> all_objects(HeaderReader& reader);

// Reads the headers of a tree that was passed over. Throws its damage if its tables do
// not fit each other, or are not what `tree` says.
void check_headers(const Tree& tree, const ByteSource& bytes, std::endian order,
                   const Context& context);

}  // namespace heron::inline v0::balsa
