// Trees built in memory, their files, and the bits they give, by the format's rules alone.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "treezip/header.h"

namespace heron::treezip_test {

struct Node {
  std::optional<unsigned> feature;  // nullopt is a leaf
  bool bit = false;
  std::unique_ptr<Node> left, right;

  bool is_leaf() const { return !feature; }
};
using NodePtr = std::unique_ptr<Node>;

inline NodePtr leaf(bool bit) {
  auto node = std::make_unique<Node>();
  node->bit = bit;
  return node;
}
inline NodePtr branch(unsigned feature, NodePtr left, NodePtr right) {
  auto node = std::make_unique<Node>();
  node->feature = feature;
  node->left = std::move(left);
  node->right = std::move(right);
  return node;
}

// Returns a tree of these features, each once a path; a branch has two leaves only if they differ.
inline NodePtr random_tree(std::mt19937_64& random, std::vector<unsigned> features,
                           unsigned depth) {
  if (depth == 0 || features.empty() || random() % 8 == 0) return leaf(random() % 2 != 0);
  const uint64_t index = random() % features.size();
  const unsigned feature = features[index];
  features.erase(features.begin() + static_cast<std::ptrdiff_t>(index));
  NodePtr left = random_tree(random, features, depth - 1);
  NodePtr right = random_tree(random, features, depth - 1);
  if (left->is_leaf() && right->is_leaf()) right->bit = !left->bit;
  return branch(feature, std::move(left), std::move(right));
}

// Builds a stream bit by bit.
class Bits {
 public:
  void put(uint64_t bits, unsigned count) {
    for (unsigned bit = 0; bit < count; ++bit, ++count_) {
      if (count_ % 8 == 0) bytes_.push_back('\0');
      const auto byte = static_cast<unsigned char>(bytes_.back());
      bytes_.back() = static_cast<char>(byte | (bits >> bit & 1) << count_ % 8);
    }
  }
  // `features`: the features that are not used above.
  void put(const Node& node, std::vector<unsigned> features, bool after_leaf = false) {
    if (node.is_leaf()) {
      put(node.bit ? 2 : 0, after_leaf ? 1 : 2);
      return;
    }
    const auto at = std::find(features.begin(), features.end(), *node.feature);
    unsigned width = 0;
    while (uint64_t{1} << width < features.size()) ++width;
    put(1, 1);
    put(static_cast<uint64_t>(at - features.begin()), width);
    features.erase(at);
    put(*node.left, features);
    put(*node.right, features, node.left->is_leaf());
  }
  uint64_t size() const { return count_; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  uint64_t count_ = 0;
};

inline std::vector<unsigned> first_features(unsigned count) {
  std::vector<unsigned> features(count);
  for (unsigned feature = 0; feature < count; ++feature) features[feature] = feature;
  return features;
}

struct MadeFile {
  treezip::Header header;
  std::shared_ptr<std::string> bytes;
  std::shared_ptr<const treezip::TreeFile> file;
};

inline MadeFile make_file(treezip::Header header, const std::string& stream) {
  auto bytes = std::make_shared<std::string>(treezip::kMagic);
  for (unsigned byte = 0; byte < 8; ++byte) {
    bytes->push_back(static_cast<char>(header.size >> 8 * byte & 0xFF));
  }
  bytes->append({1, 0, static_cast<char>(header.feat_addr), static_cast<char>(header.feat_prev)});
  bytes->append(12, '\0');
  bytes->append(stream);
  auto source = std::make_shared<MemorySource>("made.tz", std::as_bytes(std::span(*bytes)), bytes);
  return {header, bytes,
          std::make_shared<const treezip::TreeFile>(std::move(source), UINT64_MAX, Context{})};
}

// All initial bits are 1.
inline MadeFile make_file(treezip::Header header, const Node& root) {
  Bits bits;
  for (unsigned bit = 0; bit < header.feat_prev; ++bit) bits.put(1, 1);
  bits.put(root, first_features(header.features()));
  return make_file(header, bits.bytes());
}

// Returns a byte of the payload of a tree that does not look back.
inline std::byte byte_at(const treezip::Header& header, const Node& root, uint64_t offset) {
  unsigned byte = 0;
  for (unsigned bit = 0; bit < 8; ++bit) {
    const Node* node = &root;
    while (!node->is_leaf()) {
      const unsigned feature = *node->feature;
      bool side = false;
      if (feature < 3) side = (bit >> feature & 1) != 0;
      if (feature >= 3 && feature < 67) side = (offset >> (feature - 3) & 1) != 0;
      node = (side ? node->right : node->left).get();
    }
    const bool initial = offset < 64 && 8 * offset + bit < header.feat_prev;
    byte |= (initial || node->bit ? 1U : 0U) << bit;
  }
  return static_cast<std::byte>(byte);
}

}  // namespace heron::treezip_test
