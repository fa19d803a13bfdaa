// The files that the words of a command line name.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace heron::cli {

// Each word is a file, or a glob that stands for all it matches, in order of their names, *.heron
// left out; a file that is there is taken by its name, whatever characters that has. Throws
// Error(Io) for a glob that matches nothing; of other words it is not looked at whether they exist.
std::vector<std::string> matching_files(std::span<const std::string> words);

}  // namespace heron::cli
