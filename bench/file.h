// A file that is measured: opened by Heron and mapped plainly for the bound, with every page of
// both maps touched.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heron/heron.h"
#include "plain.h"

namespace heron::bench {

struct MeasuredFile {
  MeasuredFile(std::string file_path, const OpenOptions& open_options);

  std::string path;
  OpenOptions options;
  std::shared_ptr<const File> opened;
  Projection all;  // all columns of the first table
  uint64_t rows;   // rows of the first table
  PlainMap map;
};

void touch(const ByteSource& source);

OpenOptions with_cache(OpenOptions options, uint64_t cache_bytes);

// Returns a projection of columns first .. last - 1.
Projection columns_between(const MeasuredFile& file, uint64_t first, uint64_t last);

}  // namespace heron::bench
