// Finds a text within many others.
#pragma once

#include <string_view>

#include "values/text_cells.h"

namespace heron::inline v0 {

// Clears the bits of rows whose text does not contain `part`, of two bytes or more. Searches the
// texts of all rows as a single text, at some GB a second; searching each text takes some 10 ns.
// Offset: int32_t, int64_t.
template <class Offset>
void keep_containing(const TextCells<Offset>& texts, std::string_view part, uint64_t* rows);

extern template void keep_containing(const TextCells<int32_t>&, std::string_view, uint64_t*);
extern template void keep_containing(const TextCells<int64_t>&, std::string_view, uint64_t*);

}  // namespace heron::inline v0
