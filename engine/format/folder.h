// A folder whose files are tables together, as the programs of a format write it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"

namespace heron::inline v0 {

// Files that are one table, in the order of their rows.
struct FolderTable {
  std::string name;  // empty: the table has the name that it has in its files
  std::vector<std::string> paths;
};

// The folders that a format's programs write.
struct FolderLayout {
  std::string_view what = {};  // a phrase that says what they are, for errors
  // Returns the tables of the folder at `path`, each with one file or more; none if no program of
  // the format made the folder. `names` are those of everything in the folder, sorted. Throws
  // Error: Io for a file that should exist, Corrupt, Unsupported, Limit. Null: the format knows no
  // folders.
  std::vector<FolderTable> (*tables)(const std::string& path, std::span<const std::string> names,
                                     const Context& context) = nullptr;
};

// Returns the sorted names of everything in a folder. Throws Error(Io).
std::vector<std::string> names_in_folder(const std::string& path);

}  // namespace heron::inline v0
