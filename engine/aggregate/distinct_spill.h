// Distinct values that no longer fit a set: partitioned by hash into an unnamed file, so that the
// values of each partition fit memory on their own.
#pragma once

#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include "bytes/scratch_file.h"

namespace heron::inline v0 {

// One thread at a time. Throws Error(Write) if the disk is full.
class DistinctSpill {
 public:
  static constexpr uint64_t kPartitions = 64;

  DistinctSpill() : file_(temporary_path("distinct values")) {}

  // Values as records, all of one partition.
  void write(uint64_t partition, std::span<const std::byte> records) {
    if (records.empty()) return;
    file_.write_at(end_, records);
    extents_[partition].push_back({end_, records.size()});
    end_ += records.size();
  }
  void append(const DistinctSpill& other) {
    for (uint64_t partition = 0; partition < kPartitions; ++partition) {
      other.for_each(partition,
                     [&](std::span<const std::byte> records) { write(partition, records); });
    }
  }
  // use(records) for each write(), in order.
  template <class Use>
  void for_each(uint64_t partition, Use use) const {
    std::vector<std::byte> records;
    for (const Extent& extent : extents_[partition]) {
      records.resize(extent.bytes);
      file_.read_at(extent.offset, records);
      use(std::span<const std::byte>(records));
    }
  }

 private:
  struct Extent {
    uint64_t offset, bytes;
  };

  ScratchFile file_;
  uint64_t end_ = 0;
  std::array<std::vector<Extent>, kPartitions> extents_;
};

// A record: the 8 bytes of a number, or the length and the bytes of a text.
inline void put_record(uint64_t bits, std::vector<std::byte>& to) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&bits);
  to.insert(to.end(), bytes, bytes + sizeof bits);
}
inline void put_record(std::string_view text, std::vector<std::byte>& to) {
  put_record(uint64_t{text.size()}, to);
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  to.insert(to.end(), bytes, bytes + text.size());
}
inline uint64_t take_record(std::span<const std::byte>& from, uint64_t) {
  uint64_t bits;
  std::memcpy(&bits, from.data(), sizeof bits);
  from = from.subspan(sizeof bits);
  return bits;
}
inline std::string_view take_record(std::span<const std::byte>& from, std::string_view) {
  const uint64_t length = take_record(from, uint64_t{});
  const std::string_view text(reinterpret_cast<const char*>(from.data()), length);
  from = from.subspan(length);
  return text;
}

}  // namespace heron::inline v0
