// Streams of compressed bytes, through the filters of Boost.Iostreams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

enum class Compression : uint8_t { Gzip, Bzip2, Xz, Zstd };

// Returns the method for the ending of a name: .gz, .bz2, .xz or .zst; nullopt for any other
// ending.
std::optional<Compression> compression_named(std::string_view path) noexcept;

// Decompresses a source from its start, all its consecutive streams. Takes the memory of its
// method: 128 MiB at most. The source and the context must outlive it.
class Decompressor {
 public:
  // Takes any method but Gzip, which inflate.h decompresses faster.
  Decompressor(Compression method, const ByteSource& source, const Context& context);
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  // Returns how many bytes it wrote; they are fewer than `into` has only at the end. Throws
  // Error(Corrupt), with the offset in the source, for damaged streams and for one that is cut off;
  // Error(Limit) for one that needs more memory; Io, Changed.
  uint64_t read(std::span<std::byte> into);

 private:
  struct Input;
  class Filter;
  template <class Method>
  class FilterOf;

  [[noreturn]] void fail_damaged(int code) const;

  const Compression method_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<Filter> filter_;
};

// Compresses one stream, with the usual strength of its method. write() and finish() pass the
// compressed bytes to `write`, and pass on what it throws.
class Compressor {
 public:
  using Write = std::function<void(std::span<const std::byte>)>;

  Compressor(Compression method, Write write);
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  void write(std::span<const std::byte> bytes);
  // Ends the stream, which is cut off without it. Call it once.
  void finish();

 private:
  struct Output;
  class Filter;
  template <class Method>
  class FilterOf;

  std::unique_ptr<Output> output_;
  std::unique_ptr<Filter> filter_;
};

}  // namespace heron::inline v0
