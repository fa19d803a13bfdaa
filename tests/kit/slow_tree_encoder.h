// TreeZip's encoder as its rule reads: every node has the addresses of its samples, and every
// unused feature is tested on each of them. It is meant for payloads of some hundred bytes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace heron::inline v0 {

class SlowTreeEncoder {
 public:
  SlowTreeEncoder(std::span<const std::byte> payload, unsigned feat_addr, unsigned feat_prev)
      : payload_(payload), feat_addr_(feat_addr), feat_prev_(feat_prev) {}

  // Returns the bits of the tree; nullopt if the features cannot distinguish bits that differ.
  std::optional<std::vector<bool>> tree() {
    tree_.clear();
    if (bits() <= feat_prev_) return std::vector<bool>{false, false};
    Addresses samples(bits() - feat_prev_);
    std::iota(samples.begin(), samples.end(), feat_prev_);
    Features unused(feat_addr_ + feat_prev_);
    std::iota(unused.begin(), unused.end(), 0);
    if (!put_node(samples, unused, false)) return std::nullopt;
    return tree_;
  }

  // Returns the whole file; nullopt if there is no tree.
  std::optional<std::vector<std::byte>> file() {
    const auto tree_bits = tree();
    if (!tree_bits) return std::nullopt;
    std::vector<std::byte> out;
    for (const char c : {'T', 'R', 'E', 'E', 'Z', 'I', 'P', '\7'}) out.push_back(std::byte(c));
    for (unsigned byte = 0; byte < 8; ++byte) {
      out.push_back(static_cast<std::byte>(payload_.size() >> (8 * byte)));
    }
    for (const unsigned value : {1U, 0U, feat_addr_, feat_prev_}) out.push_back(std::byte(value));
    std::vector<bool> stream(96);  // the padding
    for (unsigned at = 0; at < feat_prev_; ++at) stream.push_back(at < bits() && bit(at));
    stream.insert(stream.end(), tree_bits->begin(), tree_bits->end());
    stream.resize((stream.size() + 7) / 8 * 8);
    for (size_t at = 0; at < stream.size(); at += 8) {
      unsigned byte = 0;
      for (unsigned k = 0; k < 8; ++k) byte |= (stream[at + k] ? 1U : 0U) << k;
      out.push_back(std::byte(byte));
    }
    return out;
  }

 private:
  using Addresses = std::vector<uint64_t>;
  using Features = std::vector<unsigned>;
  struct Split {
    double score;
    size_t larger;
    size_t index;  // index among the unused features
    Addresses sides[2];
  };

  uint64_t bits() const { return payload_.size() * 8; }
  bool bit(uint64_t at) const {
    return (std::to_integer<unsigned>(payload_[at / 8]) >> at % 8 & 1) != 0;
  }
  bool feature(unsigned f, uint64_t at) const {
    if (f >= feat_addr_) return bit(at - 1 - (f - feat_addr_));
    return f < 64 && (at >> f & 1) != 0;
  }

  static double term(double p) {
    if (p == 0) return 0;
    return -p * std::log2(p);
  }
  double entropy(const Addresses& samples) const {
    const auto ones =
        std::count_if(samples.begin(), samples.end(), [this](uint64_t at) { return bit(at); });
    const double p = static_cast<double>(ones) / static_cast<double>(samples.size());
    return term(p) + term(1 - p);
  }

  std::optional<Split> best_split(const Addresses& samples, const Features& unused) const {
    std::optional<Split> best;
    for (size_t index = 0; index < unused.size(); ++index) {
      Split split{.score = 0, .larger = 0, .index = index, .sides = {}};
      for (const uint64_t at : samples) split.sides[feature(unused[index], at)].push_back(at);
      if (split.sides[0].empty() || split.sides[1].empty()) continue;
      split.score = entropy(split.sides[0]) + entropy(split.sides[1]);
      split.larger = std::max(split.sides[0].size(), split.sides[1].size());
      const bool better = !best || split.score < best->score ||
                          (split.score == best->score && split.larger < best->larger);
      if (better) best = std::move(split);
    }
    return best;
  }

  void put(uint64_t value, unsigned count) {
    for (unsigned k = 0; k < count; ++k) tree_.push_back((value >> k & 1) != 0);
  }
  bool is_leaf(const Addresses& samples) const {
    return std::all_of(samples.begin(), samples.end(),
                       [&](uint64_t at) { return bit(at) == bit(samples[0]); });
  }
  bool put_node(const Addresses& samples, const Features& unused, bool left_is_leaf) {
    if (is_leaf(samples)) {
      put(0, 1);
      if (!left_is_leaf) put(bit(samples[0]) ? 1 : 0, 1);
      return true;
    }
    const auto split = best_split(samples, unused);
    if (!split) return false;
    unsigned width = 0;
    while (size_t{1} << width < unused.size()) ++width;
    put(1, 1);
    put(split->index, width);
    Features left_over = unused;
    left_over.erase(left_over.begin() + static_cast<std::ptrdiff_t>(split->index));
    return put_node(split->sides[0], left_over, false) &&
           put_node(split->sides[1], left_over, is_leaf(split->sides[0]));
  }

  std::span<const std::byte> payload_;
  unsigned feat_addr_, feat_prev_;
  std::vector<bool> tree_;
};

}  // namespace heron::inline v0
