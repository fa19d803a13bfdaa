// Expands the file arguments of a command line.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace heron::cli {

// Expands words: each is a file, or a glob that stands for all matches, sorted by name, without
// *.heron; an existing file is taken by its name, whatever characters it has. A folder that is one
// table stands for the table's files. Throws Error(Io) for a glob without matches, and what
// known_folder() throws; does not check that other files exist.
std::vector<std::string> matching_files(std::span<const std::string> words);

}  // namespace heron::cli
