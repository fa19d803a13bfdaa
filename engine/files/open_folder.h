// Folders as files: the files in one are one table, or several.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "format/format.h"

namespace heron::inline v0 {

bool is_folder(const std::string& path) noexcept;

// The tables of a folder, and the format that knows it.
struct KnownFolder {
  const Format* format = nullptr;  // null: no format knows the folder
  std::vector<FolderTable> tables = {};
};
// Lists the folder and reads what its format needs; opens no file of a table. Throws Error: Io,
// Corrupt, Unsupported, Limit.
KnownFolder known_folder(const std::string& path, const Context& context);

// Returns paths, where a folder that is one table is replaced by the files of the table. Throws
// what known_folder() throws.
std::vector<std::string> with_files_of_folders(std::span<const std::string> paths,
                                               const Context& context);

// Returns the files of all tables of a folder. Throws what open_folder() throws.
std::vector<std::string> files_in_folder(const std::string& path, const Context& context);

// Opens the folder at `path`. Throws Error(UnknownFormat) that says which folders can be opened.
std::shared_ptr<const File> open_folder(const std::string& path, const OpenOptions& options,
                                        const Context& context);

}  // namespace heron::inline v0
