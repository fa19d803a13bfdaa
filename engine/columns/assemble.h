// Answers made of answers: values in memory put one behind the other, or picked by number, out of
// one or of several. Of every type, nested ones too.
#pragma once

#include <span>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// All rows of the pieces, which have this type, in order. The result lives in the arena, but that a
// single piece comes back as it is. Pieces of a key have the same values behind them, and so has
// the result. Throws Error(Limit) where 32-bit offsets cannot count what the pieces have together.
Values concatenate(const Type& type, std::span<const Values> pieces, Arena& arena);

// The same values in the arena, but that those behind keys are shared.
Values copy(const Values& values, Arena& arena);

// Row i of the result is row rows[i] of `values`, all below values.rows; repeats allowed. The
// result lives in the arena; the values behind keys are shared. Throws Error(Limit) likewise.
Values pick(const Values& values, std::span<const uint32_t> rows, Arena& arena);

// A row of one of several pieces.
struct PieceRow {
  uint32_t piece = 0;
  uint32_t row = 0;
};

// Row i of the result is row rows[i].row of pieces[rows[i].piece]. The pieces, at least one, have
// one type and, of keys, the same values behind them. The result lives in the arena. Throws
// Error(Limit) likewise.
Values pick(std::span<const Values* const> pieces, std::span<const PieceRow> rows, Arena& arena);

}  // namespace heron::inline v0
