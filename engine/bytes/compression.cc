#include "bytes/compression.h"

#include <algorithm>
#include <array>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <ios>
#include <utility>

#include "base/fail.h"
#include "bytes/zstd_frames.h"

namespace heron::inline v0 {
namespace {

namespace streams = boost::iostreams;

// Bytes of input that a filter buffers: the offset of damage is known to within them.
constexpr std::streamsize kInputBytes = 4096;
constexpr std::streamsize kOutputBytes = 1 << 16;

constexpr std::array<std::pair<std::string_view, Compression>, 4> kEndings = {
    {{".gz", Compression::Gzip},
     {".bz2", Compression::Bzip2},
     {".xz", Compression::Xz},
     {".zst", Compression::Zstd}}};

}  // namespace

std::optional<Compression> compression_named(std::string_view path) noexcept {
  for (const auto& [ending, method] : kEndings) {
    if (path.ends_with(ending)) return method;
  }
  return std::nullopt;
}

struct Decompressor::Input {
  using char_type = char;
  using category = streams::source_tag;

  std::streamsize read(char* into, std::streamsize count) {
    context.check_cancelled();
    const auto bytes = std::min(static_cast<uint64_t>(count), source.size() - offset);
    if (bytes == 0) return -1;
    source.read(offset, {reinterpret_cast<std::byte*>(into), bytes}, context);
    offset += bytes;
    return static_cast<std::streamsize>(bytes);
  }

  const ByteSource& source;
  const Context& context;
  uint64_t offset = 0;
};

class Decompressor::Filter {
 public:
  virtual ~Filter() = default;
  virtual std::streamsize read(Input& input, char* into, std::streamsize count) = 0;
};

template <class Method>
class Decompressor::FilterOf final : public Filter {
 public:
  template <class... Options>
  explicit FilterOf(Options... options) : method_(options...) {}
  std::streamsize read(Input& input, char* into, std::streamsize count) override {
    return method_.read(input, into, count);
  }

 private:
  Method method_;
};

Decompressor::Decompressor(Compression method, const ByteSource& source, const Context& context)
    : method_(method), input_(new Input{source, context}) {
  switch (method) {
    case Compression::Bzip2:
      filter_ = std::make_unique<FilterOf<streams::bzip2_decompressor>>(false, kInputBytes);
      return;
    case Compression::Xz:
      filter_ = std::make_unique<FilterOf<streams::lzma_decompressor>>(kInputBytes);
      return;
    case Compression::Zstd:
      check_zstd_frames(source, context);  // the filter takes the source's end for a frame's
      filter_ = std::make_unique<FilterOf<streams::zstd_decompressor>>(kInputBytes);
      return;
    case Compression::Gzip: break;
  }
  fail(ErrorKind::Argument, source.name(), "gzip is not decompressed as a stream");
}

Decompressor::~Decompressor() = default;

uint64_t Decompressor::read(std::span<std::byte> into) {
  uint64_t done = 0;
  try {
    while (done < into.size()) {
      const std::streamsize got =
          filter_->read(*input_, reinterpret_cast<char*>(into.data()) + done,
                        static_cast<std::streamsize>(into.size() - done));
      if (got < 0) break;
      done += static_cast<uint64_t>(got);
    }
  } catch (const streams::bzip2_error& error) {
    fail_damaged(error.error());
  } catch (const streams::lzma_error& error) {
    fail_damaged(error.error());
  } catch (const streams::zstd_error& error) {
    fail_damaged(static_cast<int>(error.error()));
  }
  return done;
}

void Decompressor::fail_damaged(int code) const {
  constexpr int kXzMemoryLimit = 6;  // LZMA_MEMLIMIT_ERROR
  const ByteSource& source = input_->source;
  source.check_unchanged();  // a change would be the cause
  if (method_ == Compression::Xz && code == kXzMemoryLimit) {
    fail(ErrorKind::Limit, source.name(), "decompressing it needs more than 100 MiB of memory");
  }
  fail(ErrorKind::Corrupt, source.name(), "byte ", input_->offset,
       ": damaged or cut-off compressed data before it");
}

struct Compressor::Output {
  using char_type = char;
  using category = streams::sink_tag;

  std::streamsize write(const char* bytes, std::streamsize count) {
    to(std::as_bytes(std::span(bytes, static_cast<size_t>(count))));
    return count;
  }

  Write to;
};

class Compressor::Filter {
 public:
  virtual ~Filter() = default;
  virtual std::streamsize write(Output& output, const char* bytes, std::streamsize count) = 0;
  virtual void close(Output& output) = 0;
};

template <class Method>
class Compressor::FilterOf final : public Filter {
 public:
  template <class... Options>
  explicit FilterOf(Options... options) : method_(options...) {}
  std::streamsize write(Output& output, const char* bytes, std::streamsize count) override {
    return method_.write(output, bytes, count);
  }
  void close(Output& output) override { method_.close(output, std::ios_base::out); }

 private:
  Method method_;
};

Compressor::Compressor(Compression method, Write write) : output_(new Output{std::move(write)}) {
  switch (method) {
    case Compression::Gzip:
      filter_ = std::make_unique<FilterOf<streams::gzip_compressor>>(streams::gzip_params(),
                                                                     kOutputBytes);
      return;
    case Compression::Bzip2:
      filter_ = std::make_unique<FilterOf<streams::bzip2_compressor>>(streams::bzip2_params(),
                                                                      kOutputBytes);
      return;
    case Compression::Xz:
      filter_ = std::make_unique<FilterOf<streams::lzma_compressor>>(streams::lzma_params(),
                                                                     kOutputBytes);
      return;
    case Compression::Zstd:
      filter_ = std::make_unique<FilterOf<streams::zstd_compressor>>(streams::zstd_params(),
                                                                     kOutputBytes);
      return;
  }
}

Compressor::~Compressor() = default;

void Compressor::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::streamsize taken =
        filter_->write(*output_, reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
    bytes = bytes.subspan(static_cast<size_t>(taken));
  }
}

void Compressor::finish() {
  filter_->close(*output_);
}

}  // namespace heron::inline v0
