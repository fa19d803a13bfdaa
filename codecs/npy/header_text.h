// Makes the bytes before the cells, as numpy.save() writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heron::inline v0::npy {

// `descr` in UTF-8, as Python writes it. The result is of the same length for any number of rows,
// as NumPy leaves blanks for the largest.
std::string header_text(std::string_view descr, const std::vector<uint64_t>& shape);

}  // namespace heron::inline v0::npy
