// The samples of one node as bit columns: bit i of every column belongs to sample i. A split
// removes the smaller part: the larger one stays in place and its counts follow by subtraction, so
// a sample is touched once per smaller part that it is in, not once per level.
#pragma once

#include <cassert>
#include <span>

#include "base/arena.h"

namespace heron::inline v0::treezip {

// A feature that differs between samples of a group.
struct Candidate {
  uint64_t samples;  // samples in which the feature is 1
  uint64_t ones;     // ones among the labels of these samples
  uint32_t feature;
  uint32_t column;
};

struct Group {
  // The columns before the features' columns say which samples are in the group, and their labels.
  static constexpr unsigned kLive = 0, kLabels = 1, kFirstFeature = 2;

  uint64_t samples = 0;
  uint64_t ones = 0;
  std::span<Candidate> candidates;  // ascending by feature
  uint64_t* columns = nullptr;      // null: not made
  uint64_t stride = 0;              // words between the columns
  uint64_t words = 0;               // words of each column

  bool is_leaf() const noexcept { return ones == 0 || ones == samples; }
  uint64_t* column(unsigned index) const noexcept { return columns + index * stride; }
  // Removes features that are the same for all samples.
  void drop_constants() noexcept;
};

// The memory of groups, freed in the opposite order.
class GroupStack {
 public:
  GroupStack(uint64_t bytes, const Context& context)
      : arena_(context.memory), begin_(arena_.allocate(bytes)), size_(bytes) {}

  uint64_t used() const noexcept { return used_; }
  void shrink(uint64_t used) noexcept { used_ = used; }

  template <class T>
  T* push(uint64_t count) noexcept {
    static_assert(alignof(T) <= sizeof(uint64_t) && sizeof(T) % sizeof(uint64_t) == 0);
    assert(count * sizeof(T) <= size_ - used_);
    T* piece = reinterpret_cast<T*>(begin_ + used_);
    used_ += count * sizeof(T);
    return piece;
  }
  // Adds columns for all candidates, uninitialised except the first, which is all ones.
  void push_columns(Group& group) noexcept;

  // Returns the memory of columns of `samples` and of all groups split off at one time, with at
  // most `most_candidates` each, on a path of up to `depth`.
  static uint64_t bytes_for(uint64_t samples, unsigned most_candidates, unsigned depth) noexcept;

 private:
  Arena arena_;
  std::byte* begin_;
  [[maybe_unused]] uint64_t size_;  // used by an assertion
  uint64_t used_ = 0;
};

// Removes the smaller part from a group with columns and returns it; the group becomes the other
// part. Only the counts of a part that is a leaf are valid.
Group split(Group& group, unsigned candidate, GroupStack& stack);

// Describes the smaller part of a split, before any column is read.
struct SmallPart {
  bool value;  // value of the feature in the part
  uint64_t samples, ones;
  SmallPart(const Group& group, unsigned candidate) noexcept;
};

// Begins to split a group without columns of its own: returns the small part, which still has the
// group's candidates; end_split() makes the group the other part once they are counted.
Group begin_split(Group& group, unsigned candidate, GroupStack& stack) noexcept;
void end_split(Group& group, Group& small) noexcept;

}  // namespace heron::inline v0::treezip
