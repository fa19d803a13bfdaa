#include "idv/write/block_maker.h"

namespace heron::inline v0::idv {

std::unique_ptr<BlockMaker::Bench> BlockMaker::take_bench() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto bench = std::move(idle_.back());
      idle_.pop_back();
      return bench;
    }
  }
  return std::make_unique<Bench>(level_);
}

void BlockMaker::give_back(std::unique_ptr<Bench> bench) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(bench));
}

uint64_t BlockMaker::make(ColumnEncoder& encoder, Bytes& stored) {
  stored.clear();
  if (compression() == Compression::None) {
    encoder.encode(stored);
    return stored.size();
  }
  auto bench = take_bench();
  bench->block.clear();
  encoder.encode(bench->block);
  put(stored, bench->deflater.deflate(bench->block));
  const uint64_t bytes = bench->block.size();
  give_back(std::move(bench));
  return bytes;
}

Compression BlockMaker::make_smaller(ColumnEncoder& encoder, Bytes& stored) {
  stored.clear();
  encoder.encode(stored);
  if (compression() == Compression::None) return Compression::None;
  auto bench = take_bench();
  const auto deflated = bench->deflater.deflate(stored);
  const bool smaller = deflated.size() < stored.size();
  if (smaller) stored.assign(deflated.begin(), deflated.end());
  give_back(std::move(bench));
  return smaller ? Compression::Deflate : Compression::None;
}

}  // namespace heron::inline v0::idv
