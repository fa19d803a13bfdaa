// An index beside a file: what would otherwise be found out again by every process that asks. It is
// read by open() and the questions, without being asked for, where OpenOptions::use_sidecar allows.
//
// It is the file FILE.heron or, where the environment variable HERON_INDEX_DIR names a folder, in
// that folder under a name made of the file's and its absolute path. It holds, for every column,
// the least and the largest value of each zone of rows and how many values are null there, so
// that a condition skips zones; how many distinct values there are; what the format needs to open
// the file sooner; and a checksum of every MiB of the file. It belongs to the file of this size,
// time of change and content: one that is of another state or damaged is left aside, and
// Context::note is told. So is one that belongs to neither the caller nor the file's owner, or that
// others may write to. It is written so that they may not, and nothing is replaced or removed that
// is no index.
#pragma once

#include <cstdint>
#include <string>

#include "heron/dataset.h"

namespace heron::inline v0 {

struct IndexReport {
  std::string path;        // of what was written
  uint64_t bytes = 0;      // its size
  uint64_t columns = 0;    // of which something is told
  uint64_t zones = 0;      // in all of them
  uint64_t formats = 0;    // that are opened sooner with it
  uint64_t checksums = 0;  // of the file
};

// Reads all of the file and writes its index under a temporary name, then puts it in place of an
// older one. Columns are told as `options` opens them: an index helps those who open the file
// alike, and is left aside where a column is not the same. Columns are read side by side on the
// Context's threads, each a zone at a time: memory does not grow with the file but by 24 bytes a
// zone, and by what counting distinct values takes. Throws what open() and reading do, and Error:
// Write, Changed (the file was written to meanwhile).
IndexReport write_index(const std::string& path, const OpenOptions& options = {},
                        const Context& context = {});

// Removes the index of a file, which need not be there any more. False: there was none. Throws
// Error(Write).
bool remove_index(const std::string& path);

// Where the index of a file is, or would be.
std::string index_path(const std::string& path);

// Reads all of the file and compares it with all that its index tells, be it used or not: the
// checksums, then each zone of each column, counts of distinct values and what the format keeps, at
// the cost of write_index(). False: it has no index. Throws Error(Corrupt) that names the first MiB
// of the file that differs, or both sizes, and says if the file was written to since; or names the
// index and the claim that does not hold. Columns are compared as `options` opens them, which are
// to be those that the index was written with.
bool compare_index(const std::string& path, const OpenOptions& options = {},
                   const Context& context = {});

}  // namespace heron::inline v0
