#include "treezip/read/saved.h"

#include <array>
#include <cstring>
#include <type_traits>

#include "skip/checksum.h"

namespace heron::inline v0::treezip {
namespace {

constexpr uint64_t kUsedWords = (kMaxFeatures + 63) / 64;

// The head of the saved data, which precedes the entries and the checkpoints.
struct Head {
  uint64_t checksum = 0;  // checksum of everything behind it
  uint64_t payload_bytes = 0;
  uint64_t features = 0;  // number of address bits; above bit 32, of previous bits
  uint64_t branches = 0;
  uint64_t implied_leaves = 0;
  uint64_t depth = 0;
  uint64_t tree_bits = 0;
  uint64_t least_bits = 0;
  uint64_t entries = 0;
  SkipTarget root;
  std::array<uint64_t, kUsedWords> used{};
};
static_assert(std::is_trivially_copyable_v<Head> && sizeof(Head) == (10 + kUsedWords) * 8);
static_assert(std::is_trivially_copyable_v<SkipEntry> && sizeof(SkipEntry) == 16);

uint64_t features_of(const Header& header) {
  return header.feat_addr | uint64_t{header.feat_prev} << 32;
}

std::optional<Head> read_head(std::span<const std::byte> saved) {
  Head head;
  if (saved.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, saved.data(), sizeof head);
  if (head.checksum != checksum(saved.subspan(sizeof head.checksum))) return std::nullopt;
  return head;
}

// Returns whether the numbers of a head are possible for a tree in the file.
bool holds(const Head& head, const TreeFile& file) {
  const Header& header = file.header();
  if (head.payload_bytes != header.size || head.features != features_of(header)) return false;
  const uint64_t most_bits = file.bits().bits() - file.tree_begin();
  if (head.tree_bits > most_bits || head.branches > head.tree_bits) return false;
  // A branch has at least a bit; a leaf has two, or one if implied.
  const uint64_t leaves = head.branches + 1;
  return head.implied_leaves <= leaves && head.depth <= header.features() &&
         head.branches + 2 * leaves - head.implied_leaves <= head.tree_bits;
}

// Checks that no path tests a feature twice, that every entry is used once, and that bits in the
// file are inside the tree.
class IndexCheck {
 public:
  IndexCheck(const SkipIndex& index, const TreeFile& file, uint64_t tree_bits)
      : index_(index),
        features_(file.header().feat_addr),
        begin_(file.tree_begin()),
        end_(file.tree_begin() + tree_bits),
        met_(index.entries.size()) {}

  bool holds() {
    todo_.push_back({index_.root, 0});
    while (!todo_.empty()) {
      const auto [target, level] = todo_.back();
      todo_.pop_back();
      while (depth_ > level) above_.reset(path_[--depth_]);
      if (!holds(target)) return false;
    }
    return true;
  }

 private:
  struct Todo {
    SkipTarget target;
    unsigned level;
  };

  bool holds(SkipTarget target) {
    const uint64_t value = target.value();
    switch (target.kind()) {
      case SkipTarget::Kind::Leaf: return value <= 1;
      case SkipTarget::Kind::Bits: return value >= begin_ && value < end_ && depth_ < features_;
      case SkipTarget::Kind::Entry: break;
      default: return false;
    }
    if (value >= met_.size() || met_[value]) return false;
    met_[value] = true;
    const SkipEntry& entry = index_.entries[value];
    const unsigned feature = entry.feature();
    if (feature >= features_ || above_[feature]) return false;
    above_.set(feature);
    path_[depth_++] = feature;
    todo_.push_back({entry.side(true), depth_});
    todo_.push_back({entry.side(false), depth_});
    return true;
  }

  const SkipIndex& index_;
  const unsigned features_;  // address features: a tree with previous bits has no index
  const uint64_t begin_, end_;
  std::vector<bool> met_;
  std::vector<Todo> todo_;
  std::bitset<kMaxFeatures> above_;
  std::array<unsigned, kMaxFeatures> path_;
  unsigned depth_ = 0;
};

}  // namespace

std::vector<std::byte> save(const TreeFile& file, const Survey& survey,
                            std::span<const std::byte> checkpoints) {
  Head head;
  head.payload_bytes = file.header().size;
  head.features = features_of(file.header());
  head.branches = survey.branches;
  head.implied_leaves = survey.implied_leaves;
  head.depth = survey.depth;
  head.tree_bits = survey.tree_bits;
  head.least_bits = survey.index.least_bits;
  head.entries = survey.index.entries.size();
  head.root = survey.index.root;
  for (unsigned feature = 0; feature < kMaxFeatures; ++feature) {
    if (survey.used[feature]) head.used[feature / 64] |= uint64_t{1} << feature % 64;
  }
  const auto entries = std::as_bytes(std::span(survey.index.entries));
  std::vector<std::byte> saved(sizeof head);
  saved.reserve(sizeof head + entries.size() + checkpoints.size());
  saved.insert(saved.end(), entries.begin(), entries.end());
  saved.insert(saved.end(), checkpoints.begin(), checkpoints.end());
  std::memcpy(saved.data(), &head, sizeof head);
  head.checksum = checksum(std::span<const std::byte>(saved).subspan(sizeof head.checksum));
  std::memcpy(saved.data(), &head.checksum, sizeof head.checksum);
  return saved;
}

std::optional<uint64_t> saved_stream_bytes(std::span<const std::byte> saved) {
  const std::optional<Head> head = read_head(saved);
  if (!head || head->tree_bits >= uint64_t{1} << 57) return std::nullopt;
  return ((head->features >> 32) + head->tree_bits) / 8 + 1;
}

std::optional<Restored> restore(std::span<const std::byte> saved, const TreeFile& file) {
  const std::optional<Head> head = read_head(saved);
  if (!head || !holds(*head, file)) return std::nullopt;
  const std::span<const std::byte> rest = saved.subspan(sizeof(Head));
  if (head->entries > rest.size() / sizeof(SkipEntry)) return std::nullopt;

  Restored restored;
  Survey& survey = restored.survey;
  survey.branches = head->branches;
  survey.leaves = head->branches + 1;
  survey.implied_leaves = head->implied_leaves;
  survey.depth = static_cast<unsigned>(head->depth);
  survey.tree_bits = head->tree_bits;
  for (unsigned feature = 0; feature < file.header().features(); ++feature) {
    if ((head->used[feature / 64] >> feature % 64 & 1) == 0) continue;
    survey.used.set(feature);
    if (feature >= file.header().feat_addr) {
      survey.looks_back = feature - file.header().feat_addr + 1;
    }
  }
  survey.index.root = head->root;
  survey.index.least_bits = head->least_bits;
  survey.index.entries.assign(head->entries, SkipEntry(0, SkipTarget(), SkipTarget()));
  const uint64_t entry_bytes = head->entries * sizeof(SkipEntry);
  if (entry_bytes != 0) std::memcpy(survey.index.entries.data(), rest.data(), entry_bytes);
  restored.checkpoints = rest.subspan(entry_bytes);
  const bool has_index = survey.looks_back == 0;
  if (!has_index && head->entries != 0) return std::nullopt;
  if (has_index && !IndexCheck(survey.index, file, survey.tree_bits).holds()) return std::nullopt;
  return restored;
}

}  // namespace heron::inline v0::treezip
