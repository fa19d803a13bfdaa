// A file of columns in compressed blocks: its first ten float32 columns and a text are measured.
#pragma once

#include <memory>
#include <vector>

#include "blocks_bound.h"
#include "file.h"

namespace heron::bench {

struct BlocksFile : MeasuredFile {
  // `file_path` passes is_blocks(). Throws Error(Argument) if the file is not IDV, or has no
  // float32 column or no text.
  BlocksFile(std::string file_path, const OpenOptions& open_options);

  Contents contents;
  std::vector<uint64_t> columns;  // the measured columns: floats and, last, the text

  // The measured columns, read with a cache that holds all their blocks, if they fit.
  Projection warm;
  // Options to open the file again with a cache that holds only the blocks of a few rows.
  OpenOptions cold_options;
  std::shared_ptr<const File> cold_file;
  Projection cold;

  uint64_t floats() const { return columns.size() - 1; }
};

bool is_blocks(const File& file);

}  // namespace heron::bench
