// Blocks as they are stored, made on several threads at once.
#pragma once

#include <mutex>

#include "idv/encoder.h"
#include "idv/inflate.h"

namespace heron::inline v0::idv {

class BlockMaker {
 public:
  // How hard to compress, 1 to 12; 0: blocks stay as they are.
  explicit BlockMaker(int level) : level_(level) {}

  Compression compression() const noexcept {
    return level_ == 0 ? Compression::None : Compression::Deflate;
  }

  // Makes `stored` of what the encoder gathered, and tells its size before compression. What is
  // compressed stays so even where that made it larger: a block cannot say that it is not.
  // Thread-safe.
  uint64_t make(ColumnEncoder& encoder, Bytes& stored);

  // The same for metadata, which can say so: the smaller form.
  Compression make_smaller(ColumnEncoder& encoder, Bytes& stored);

 private:
  // What one thread works with; a compressor takes megabytes at the higher levels.
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
