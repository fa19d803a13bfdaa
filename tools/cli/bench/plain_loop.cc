#include "bench/plain_loop.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::cli::bench {
namespace {

using Source = std::shared_ptr<const ByteSource>;

// Maps a file: with Access::Warm, opening does nothing but open, fstat and mmap.
Source map_of(const std::string& path) {
  return heron::open_file(path, true, Access::Warm);
}

class OpenLoop final : public PlainLoop {
 public:
  OpenLoop(std::string path, uint64_t bytes, bool is_bound)
      : path_(std::move(path)), memory_(bytes), is_bound_(is_bound) {}

  std::string what() const override {
    return "open, fstat, mmap, and one read of as many bytes as opening reads";
  }
  bool does_same_work() const override { return is_bound_; }
  void run(const Input&) override {
    map_ = map_of(path_);
    const uint64_t bytes = std::min<uint64_t>(memory_.size(), map_->size());
    map_->read(0, std::span(memory_).first(bytes), {});
  }
  void rest() override { map_.reset(); }

 private:
  const std::string path_;
  std::vector<std::byte> memory_;
  const bool is_bound_;
  Source map_;
};

class BytesLoop final : public PlainLoop {
 public:
  BytesLoop(const std::string& path, uint64_t bytes, uint64_t rows)
      : map_(map_of(path)), bytes_(std::min(bytes, map_->size())), rows_(rows) {}

  std::string what() const override {
    return "a sum over as many bytes of the file, one after the other, as the question reads";
  }
  bool does_same_work() const override { return false; }
  void run(const Input& input) override {
    const double share =
        std::min(1.0, static_cast<double>(input.first_row) / static_cast<double>(rows_ + 1));
    const auto start = static_cast<uint64_t>(share * static_cast<double>(map_->size() - bytes_));
    keep_sum(sum_of(map_->base() + start, bytes_));
  }
  void check() const override { map_->check_unchanged(); }

 private:
  const Source map_;
  const uint64_t bytes_, rows_;
};

}  // namespace

uint64_t sum_of(const std::byte* data, uint64_t bytes) {
  std::array<uint64_t, 4> sums{};
  uint64_t at = 0;
  for (; at + sizeof sums <= bytes; at += sizeof sums) {
    std::array<uint64_t, 4> words;
    std::memcpy(words.data(), data + at, sizeof words);
    for (size_t i = 0; i < words.size(); ++i) sums[i] += words[i];
  }
  for (; at < bytes; ++at) sums[0] += std::to_integer<uint64_t>(data[at]);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

std::unique_ptr<PlainLoop> plain_loop_of(Op op, const Subject& subject, const FileFacts& facts,
                                         const OpenFile& file, uint64_t touched_bytes) {
  if (op == Op::Open) {
    // Opening a file whose columns are in it as they are is little more than these calls.
    const bool is_flat = cells_loop_of(Op::Scan, subject, facts, file) != nullptr;
    return std::make_unique<OpenLoop>(subject.path, touched_bytes, is_flat);
  }
  if (auto loop = cells_loop_of(op, subject, facts, file)) return loop;
  if (touched_bytes == 0) return nullptr;
  return std::make_unique<BytesLoop>(subject.path, touched_bytes, facts.rows);
}

}  // namespace heron::cli::bench
