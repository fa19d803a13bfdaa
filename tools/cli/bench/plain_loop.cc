#include "bench/plain_loop.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "dataset/internals.h"
#include "heron/error.h"

namespace heron::cli::bench {
namespace {

// open, fstat, mmap.
class PlainMap {
 public:
  explicit PlainMap(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat found {};
    if (file_ < 0 || ::fstat(file_, &found) != 0) {
      fail(ErrorKind::Io, path, "cannot be opened: ", std::strerror(errno));
    }
    bytes_ = static_cast<uint64_t>(found.st_size);
    if (bytes_ > 0) map_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file_, 0);
    if (map_ == MAP_FAILED) fail(ErrorKind::Io, path, "cannot be mapped: ", std::strerror(errno));
  }
  ~PlainMap() {
    if (map_ != nullptr) ::munmap(map_, bytes_);
    ::close(file_);
  }
  PlainMap(const PlainMap&) = delete;
  PlainMap& operator=(const PlainMap&) = delete;

  int file() const { return file_; }
  const std::byte* data() const { return static_cast<const std::byte*>(map_); }
  uint64_t bytes() const { return bytes_; }

 private:
  int file_;
  void* map_ = nullptr;
  uint64_t bytes_ = 0;
};

void keep_sum(uint64_t sum) {
  asm volatile("" : : "g"(&sum) : "memory");
}

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

class OpenLoop final : public PlainLoop {
 public:
  OpenLoop(std::string path, uint64_t bytes) : path_(std::move(path)), memory_(bytes) {}

  std::string what() const override {
    return "open, fstat, mmap, and one read of as many bytes as opening reads";
  }
  void run(const Input&) override {
    map_.emplace(path_);
    if (::pread(map_->file(), memory_.data(), memory_.size(), 0) < 0) {
      fail(ErrorKind::Io, path_, "cannot be read: ", std::strerror(errno));
    }
  }
  void rest() override { map_.reset(); }

 private:
  const std::string path_;
  std::vector<std::byte> memory_;
  std::optional<PlainMap> map_;
};

class BytesLoop final : public PlainLoop {
 public:
  BytesLoop(const std::string& path, uint64_t bytes, uint64_t rows)
      : map_(path), bytes_(std::min(bytes, map_.bytes())), rows_(rows) {}

  std::string what() const override {
    return "a sum over as many bytes of the file, one after the other, as the question reads";
  }
  void run(const Input& input) override {
    const double share =
        std::min(1.0, static_cast<double>(input.place) / static_cast<double>(rows_ + 1));
    const auto start = static_cast<uint64_t>(share * static_cast<double>(map_.bytes() - bytes_));
    keep_sum(sum_of(map_.data() + start, bytes_));
  }

 private:
  const PlainMap map_;
  const uint64_t bytes_, rows_;
};

// The cells of some columns, in the map of the open file: a column at a time, prefetched.
class CellsLoop final : public PlainLoop {
 public:
  CellsLoop(std::vector<FlatCells> columns, const std::byte* base)
      : columns_(std::move(columns)), base_(base) {}

  std::string what() const override { return "loads of the same cells, and of their characters"; }
  void run(const Input& input) override {
    uint64_t sum = 0;
    for (const FlatCells& column : columns_) sum += sum_of_cells(column, input.rows);
    keep_sum(sum);
  }

 private:
  static constexpr uint64_t kAhead = 32;  // rows between a prefetch and its use

  template <class T>
  static T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }

  template <class At, class Use>
  static uint64_t each(const std::vector<uint64_t>& rows, const At& at, const Use& use) {
    uint64_t sum = 0;
    const uint64_t count = rows.size();
    for (uint64_t i = 0; i < std::min(kAhead, count); ++i) __builtin_prefetch(at(rows[i]));
    for (uint64_t i = 0; i < count; ++i) {
      if (i + kAhead < count) __builtin_prefetch(at(rows[i + kAhead]));
      sum += use(at(rows[i]));
    }
    return sum;
  }
  template <class T>
  uint64_t numbers(const FlatCells& column, const std::vector<uint64_t>& rows) const {
    const std::byte* cells = base_ + column.cells.offset;
    const uint64_t stride = column.stride;
    return each(
        rows, [=](uint64_t row) { return cells + row * stride; },
        [](const std::byte* at) { return static_cast<uint64_t>(load<T>(at)); });
  }
  template <class T>
  uint64_t texts(const FlatCells& column, const std::vector<uint64_t>& rows) const {
    const std::byte* cells = base_ + column.cells.offset;
    const std::byte* characters = base_ + column.characters.offset;
    const uint64_t most = column.characters.bytes;
    constexpr uint64_t kMask = sizeof(T) == 4 ? INT32_MAX : INT64_MAX;
    return each(
        rows, [=](uint64_t row) { return cells + row * sizeof(T); },
        [=](const std::byte* at) {
          const uint64_t start = load<T>(at) & kMask;
          const uint64_t end = std::min(load<T>(at + sizeof(T)) & kMask, most);
          return end <= start ? 0 : sum_of(characters + start, end - start);
        });
  }
  uint64_t sum_of_cells(const FlatCells& column, const std::vector<uint64_t>& rows) const {
    if (column.kind == FlatCells::Kind::Null) return 0;
    if (column.kind == FlatCells::Kind::Text) {
      return column.cell_bytes == 4 ? texts<uint32_t>(column, rows) : texts<uint64_t>(column, rows);
    }
    if (column.kind == FlatCells::Kind::Bits) {
      const std::byte* bits = base_ + column.cells.offset;
      return each(
          rows, [=](uint64_t row) { return bits + row / 8; },
          [](const std::byte* at) { return static_cast<uint64_t>(load<uint8_t>(at)); });
    }
    switch (column.cell_bytes) {
      case 1: return numbers<uint8_t>(column, rows);
      case 2: return numbers<uint16_t>(column, rows);
      case 4: return numbers<uint32_t>(column, rows);
      default: return numbers<uint64_t>(column, rows);
    }
  }

  const std::vector<FlatCells> columns_;
  const std::byte* base_;
};

// Null: not all columns lie in a map cell by cell.
std::unique_ptr<PlainLoop> cells_loop_of(const Subject& subject, const OpenFile& file) {
  const Projection columns =
      subject.columns.empty() ? Projection(file.table) : Projection(file.table, subject.columns);
  const std::byte* base = bytes_of(*file.table).base();
  if (base == nullptr || internals(*file.table).fragments().size() != 1) return nullptr;
  std::vector<FlatCells> flat;
  for (const Column* column : internals(columns).columns()) {
    const auto cells = column->flat();
    if (!cells) return nullptr;
    flat.push_back(*cells);
  }
  return std::make_unique<CellsLoop>(std::move(flat), base);
}

}  // namespace

std::unique_ptr<PlainLoop> plain_loop_of(Op op, const Subject& subject, const FileFacts& facts,
                                         const OpenFile& file, uint64_t touched_bytes) {
  if (op == Op::Open) return std::make_unique<OpenLoop>(subject.path, touched_bytes);
  if (op == Op::Row || op == Op::Rows || op == Op::Take || op == Op::Sample) {
    if (auto loop = cells_loop_of(subject, file)) return loop;
  }
  if (touched_bytes == 0) return nullptr;
  return std::make_unique<BytesLoop>(subject.path, touched_bytes, facts.rows);
}

}  // namespace heron::cli::bench
