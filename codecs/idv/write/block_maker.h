// Encodes and compresses blocks on several threads.
#pragma once

#include <mutex>

#include "bytes/deflate.h"
#include "idv/layout.h"
#include "idv/write/encoder.h"

namespace heron::inline v0::idv {

class BlockMaker {
 public:
  // `level`: the compression level, 1 to 12; 0: no compression.
  explicit BlockMaker(int level) : level_(level) {}

  Compression compression() const noexcept {
    return level_ == 0 ? Compression::None : Compression::Deflate;
  }

  // Encodes the rows that the encoder collected into `stored`, and returns their size before
  // compression. The compressed form is used even if it is larger: a block cannot be marked as
  // uncompressed. Thread-safe.
  uint64_t make(ColumnEncoder& encoder, Bytes& stored);

  // Makes a block of metadata, which can be marked as uncompressed: chooses the smaller form.
  Compression make_smaller(ColumnEncoder& encoder, Bytes& stored);

 private:
  // Local state of a thread; a compressor takes megabytes at the higher levels.
  struct Bench {
    explicit Bench(int level) : deflater(level) {}

    Deflater deflater;
    Bytes block;
  };
  std::unique_ptr<Bench> take_bench();
  void give_back(std::unique_ptr<Bench> bench);

  const int level_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Bench>> idle_;
};

}  // namespace heron::inline v0::idv
