// Compresses to raw DEFLATE (RFC 1951). All writing with libdeflate is here.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_compressor;

namespace heron::inline v0 {

// Takes megabytes at the higher levels. One thread at a time.
class Deflater {
 public:
  // `level` is 0 (stored) to 12. Throws std::bad_alloc.
  explicit Deflater(int level);

  // The result is valid until the next call.
  std::span<const std::byte> deflate(std::span<const std::byte> bytes);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const noexcept;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<std::byte> deflated_;
};

}  // namespace heron::inline v0
