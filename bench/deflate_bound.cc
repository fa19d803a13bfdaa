// heron-deflate FILE [--level N] [--threads N]: the cost of compression alone, for the blocks of an
// IDV file that Heron wrote. Decompresses all of them into memory, then times libdeflate over them,
// into reused memory. One JSON line; `same` is true if each block has its stored length again, as
// it has at the level of the file.
#include <libdeflate.h>

#include <atomic>
#include <charconv>
#include <cstdio>
#include <exception>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "blocks_bound.h"
#include "measure.h"

namespace heron::bench {
namespace {

struct Block {
  std::vector<std::byte> bytes;
  uint64_t stored_bytes = 0;
};

struct Free {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
};

std::vector<Block> inflated_blocks(const Contents& contents) {
  std::vector<uint64_t> columns(contents.columns.size());
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  Inflater inflater(contents, columns);
  std::vector<Block> blocks;
  for (const uint64_t column : columns) {
    for (uint64_t k = 0; k < contents.blocks(); ++k) {
      const StoredBlock stored = contents.block(column, k);
      const std::byte* bytes = inflater.block(column, k);
      blocks.push_back({{bytes, bytes + stored.bytes}, stored.stored_bytes});
    }
  }
  return blocks;
}

// Compresses the blocks from `next` on that no other thread has taken; returns how many have
// another length.
uint64_t compress(const std::vector<Block>& blocks, std::atomic<size_t>& next, int level) {
  const std::unique_ptr<libdeflate_compressor, Free> compressor(libdeflate_alloc_compressor(level));
  if (compressor == nullptr) throw std::invalid_argument("no such level");
  std::vector<std::byte> into;
  uint64_t others = 0;
  for (size_t i; (i = next++) < blocks.size();) {
    const Block& block = blocks[i];
    const size_t most = libdeflate_deflate_compress_bound(compressor.get(), block.bytes.size());
    if (into.size() < most) into.resize(most);
    others += block.stored_bytes !=
              libdeflate_deflate_compress(compressor.get(), block.bytes.data(), block.bytes.size(),
                                          into.data(), into.size());
  }
  return others;
}

void run(const std::string& path, int level, unsigned threads) {
  const PlainMap map(path);
  const Contents contents(map);
  const std::vector<Block> blocks = inflated_blocks(contents);
  uint64_t bytes = 0;
  for (const Block& block : blocks) bytes += block.bytes.size();
  std::atomic<size_t> next = 0;
  std::atomic<uint64_t> others = 0;
  const double start = seconds_now();
  {
    std::vector<std::jthread> others_beside;
    for (unsigned i = 1; i < threads; ++i) {
      others_beside.emplace_back([&] { others += compress(blocks, next, level); });
    }
    others += compress(blocks, next, level);
  }
  const double seconds = seconds_now() - start;
  std::printf(
      "{\"file\":\"%s\",\"level\":%d,\"threads\":%u,\"bytes\":%llu,\"seconds\":%.6f,"
      "\"same\":%s}\n",
      path.c_str(), level, threads, static_cast<unsigned long long>(bytes), seconds,
      others == 0 ? "true" : "false");
}

int main_with(std::vector<std::string_view> words) {
  std::string path;
  int level = 6;
  unsigned threads = 1;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    const auto number = [&](auto& value) {
      const std::string_view word = words[++i];
      const auto end = word.data() + word.size();
      if (std::from_chars(word.data(), end, value).ptr != end) {
        throw std::invalid_argument("expected a number, got " + std::string(word));
      }
    };
    if (words[i] == "--level" && has_value) {
      number(level);
    } else if (words[i] == "--threads" && has_value) {
      number(threads);
    } else {
      path = words[i];
    }
  }
  if (path.empty() || path.starts_with('-')) {
    throw std::invalid_argument("heron-deflate FILE [--level N] [--threads N]");
  }
  run(path, level, threads);
  return 0;
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** words) {
  try {
    return heron::bench::main_with({words + 1, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-deflate: %s\n", error.what());
    return 1;
  }
}
