// An index beside a file stores what every process would otherwise compute again. open() and
// queries use it by themselves if OpenOptions::use_index allows it.
//
// It is the file FILE.heron or, if the environment variable HERON_INDEX_DIR names a folder, a file
// in that folder whose name is made of the file's name and its absolute path. It holds, for every
// column, the minimum, the maximum and the null count of each zone of rows, for pruning; the number
// of distinct values; what the format needs to open the file sooner; and a checksum of every MiB of
// the file. It belongs to the file of one size, modification time and content. An index that is
// damaged or belongs to another state is ignored and reported to Context::note. So is one owned by
// neither the caller nor the file's owner, or writable by others. It is written so that others
// cannot write to it. Nothing but an index is replaced or removed.
#pragma once

#include <cstdint>
#include <string>

#include "heron/export.h"
#include "heron/file.h"

namespace heron::inline v0 {

struct IndexReport {
  std::string path;        // path of the index; of a folder, the folder itself
  uint64_t bytes = 0;      // size of the index
  uint64_t columns = 0;    // columns that the index describes
  uint64_t zones = 0;      // zones of all columns
  uint64_t formats = 0;    // formats that open sooner with the index
  uint64_t checksums = 0;  // checksums of the file
};

// Reads all of the file and writes its index under a temporary name, then replaces an older one
// with it; of a folder, the index of each of its files, which the report adds up. Columns are
// opened as `options` says: an index helps readers that open the file with the same options, and is
// ignored for a column that differs. Columns are read in parallel on the Context's threads, each a
// zone at a time: memory does not grow with the file except by 24 bytes a zone and by what counting
// distinct values takes. A table that claims more rows than a file of its size explains (2^24, and
// 1,100 for each byte) is left out and noted. Throws what open() and reading throw, and Error:
// Write, Changed (the file was written to meanwhile).
HERON_EXPORT IndexReport write_index(const std::string& path, const OpenOptions& options = {},
                                     const Context& context = {});

// Removes the index of a file, which need not exist, or of each file of a folder. Returns false if
// there was none. Throws Error(Write).
HERON_EXPORT bool remove_index(const std::string& path);

// The path of a file's index, whether it exists or not; a folder has none of its own.
HERON_EXPORT std::string index_path(const std::string& path);

// Reads all of a file and compares it with everything in its index, used or not: the checksums,
// then each zone of each column, distinct counts and what the format keeps, at the cost of
// write_index(). Returns false if there is no index. Throws Error(Corrupt) that names the first MiB
// of the file that differs, or both sizes, and says if the file was written to since; or names the
// index and the wrong claim. `options` must be those that the index was written with.
HERON_EXPORT bool compare_index(const std::string& path, const OpenOptions& options = {},
                                const Context& context = {});

}  // namespace heron::inline v0
