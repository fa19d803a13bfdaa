// Small trees that look back, as files, and their payload as FORMAT defines it, bit by bit.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "bytes/memory_source.h"
#include "treezip/read/survey.h"

namespace heron::test {

// A random tree with the given size and features.
class MadeChain {
 public:
  MadeChain(uint64_t size, unsigned feat_addr, unsigned feat_prev, unsigned most_depth,
            unsigned seed)
      : header_{size, feat_addr, feat_prev}, random_(seed) {
    for (unsigned bit = 0; bit < feat_prev; ++bit) put(random_() % 2, 1);
    std::vector<unsigned> features(header_.features());
    for (unsigned f = 0; f < features.size(); ++f) features[f] = f;
    grow(features, most_depth, -1);
    tree_bits_ = bit_count_ - feat_prev;
    file_bytes_ = stored_header();
    file_bytes_.insert(file_bytes_.end(), stream_.begin(), stream_.end());
  }

  // Returns the file, a view of the chain's own bytes, which do not move.
  std::shared_ptr<const treezip::TreeFile> file() const {
    auto source = std::make_shared<MemorySource>("chain.tz", file_bytes_);
    return std::make_shared<treezip::TreeFile>(std::move(source), UINT64_MAX, Context{});
  }
  std::shared_ptr<const treezip::Survey> survey() const {
    auto survey = std::make_shared<treezip::Survey>();
    survey->branches = branches_.size();
    survey->tree_bits = tree_bits_;
    survey->looks_back = 1;  // at least 1, also if no branch looks back
    for (const Branch& branch : branches_) {
      survey->used.set(branch.feature);
      if (branch.feature >= header_.feat_addr) {
        survey->looks_back = std::max(survey->looks_back, branch.feature - header_.feat_addr + 1);
      }
    }
    return survey;
  }
  const std::vector<std::byte>& payload() const {
    if (payload_.empty()) decode();
    return payload_;
  }
  uint64_t tree_bits() const { return tree_bits_; }
  std::vector<std::byte>& file_bytes() { return file_bytes_; }

 private:
  // A side is a leaf's bit, or 2 + a branch's number.
  struct Branch {
    unsigned feature;
    size_t sides[2];
  };

  void put(uint64_t bits, unsigned count) {
    for (unsigned bit = 0; bit < count; ++bit, ++bit_count_) {
      if (bit_count_ % 8 == 0) stream_.emplace_back();
      if ((bits >> bit & 1) != 0) stream_.back() |= std::byte{1} << bit_count_ % 8;
    }
  }

  size_t grow(const std::vector<unsigned>& features, unsigned levels, int left_leaf) {
    const bool is_root = bit_count_ == header_.feat_prev;
    if (features.empty() || levels == 0 || (!is_root && random_() % 6 == 0)) {
      const bool bit = left_leaf < 0 ? random_() % 2 == 0 : left_leaf == 0;
      put(bit ? 2 : 0, left_leaf < 0 ? 2 : 1);
      return bit ? 1 : 0;
    }
    const size_t index = random_() % features.size();
    put(1, 1);
    put(index, static_cast<unsigned>(std::bit_width(features.size() - 1)));
    const size_t number = branches_.size();
    branches_.push_back({features[index], {}});
    std::vector<unsigned> rest = features;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(index));
    const size_t left = grow(rest, levels - 1, -1);
    const size_t right = grow(rest, levels - 1, left < 2 ? static_cast<int>(left) : -1);
    branches_[number].sides[0] = left;
    branches_[number].sides[1] = right;
    return 2 + number;
  }

  std::vector<std::byte> stored_header() const {
    std::vector<std::byte> bytes(sizeof(treezip::StoredHeader));
    std::memcpy(bytes.data(), treezip::kMagic.data(), treezip::kMagic.size());
    std::memcpy(bytes.data() + 8, &header_.size, 8);
    bytes[16] = std::byte{treezip::kVersion};
    bytes[18] = static_cast<std::byte>(header_.feat_addr);
    bytes[19] = static_cast<std::byte>(header_.feat_prev);
    return bytes;
  }

  bool feature(unsigned f, uint64_t address) const {
    if (f < header_.feat_addr) return f < 64 && (address >> f & 1) != 0;
    const uint64_t at = address - 1 - (f - header_.feat_addr);
    return (payload_[at / 8] >> at % 8 & std::byte{1}) != std::byte{0};
  }
  void decode() const {
    payload_.resize(header_.size);
    for (uint64_t address = 0; address < header_.size * 8; ++address) {
      bool bit = false;
      if (address < header_.feat_prev) {
        bit = (stream_[address / 8] >> address % 8 & std::byte{1}) != std::byte{0};
      } else {
        size_t side = branches_.empty() ? 0 : 2;
        while (side >= 2) {
          const Branch& branch = branches_[side - 2];
          side = branch.sides[feature(branch.feature, address) ? 1 : 0];
        }
        bit = side == 1;
      }
      if (bit) payload_[address / 8] |= std::byte{1} << address % 8;
    }
  }

  treezip::Header header_;
  std::mt19937 random_;
  uint64_t bit_count_ = 0;
  uint64_t tree_bits_ = 0;
  std::vector<std::byte> stream_;
  std::vector<std::byte> file_bytes_;
  std::vector<Branch> branches_;
  mutable std::vector<std::byte> payload_;
};

}  // namespace heron::test
