// The samples of one node as bit columns: bit i of every column is about sample i. A group is split
// by taking out the smaller part: the larger one stays where it is, and what is known of it follows
// by subtraction, so that a sample is touched as often as its part is the smaller one, not once a
// level.
#pragma once

#include <cassert>
#include <span>

#include "base/arena.h"

namespace heron::inline v0::treezip {

// A feature that is not the same for all samples of a group.
struct Candidate {
  uint64_t samples;  // that have a 1
  uint64_t ones;     // of their labels
  uint32_t feature;
  uint32_t column;
};

struct Group {
  // Before the features' columns: which samples are in the group, and their labels.
  static constexpr unsigned kLive = 0, kLabels = 1, kFirstFeature = 2;

  uint64_t samples = 0;
  uint64_t ones = 0;
  std::span<Candidate> candidates;  // ascending
  uint64_t* columns = nullptr;      // null: they are not made
  uint64_t stride = 0;              // words between them
  uint64_t words = 0;               // of each

  bool is_leaf() const noexcept { return ones == 0 || ones == samples; }
  uint64_t* column(unsigned index) const noexcept { return columns + index * stride; }
  // Forgets what is the same for all samples.
  void drop_constants() noexcept;
};

// Memory of groups, given back in the opposite order.
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
  // Columns for all candidates, uninitialised but for the first, which is all ones.
  void push_columns(Group& group) noexcept;

  // What columns of `samples` take with those of all groups that are split off them at one time,
  // none of more than `most_candidates`, on a path of up to `depth`.
  static uint64_t bytes_for(uint64_t samples, unsigned most_candidates, unsigned depth) noexcept;

 private:
  Arena arena_;
  std::byte* begin_;
  [[maybe_unused]] uint64_t size_;  // for the assertion
  uint64_t used_ = 0;
};

// Takes the smaller part out of a group that has columns: it is answered, the group becomes the
// other part. Of a part that is a leaf nothing has a meaning but the counts.
Group split(Group& group, unsigned candidate, GroupStack& stack);

// What is known of the smaller part of a split before any column is looked at.
struct SmallPart {
  bool value;  // of the feature
  uint64_t samples, ones;
  SmallPart(const Group& group, unsigned candidate) noexcept;
};

// A split where the columns are elsewhere: the small part, its candidates still the group's; then,
// when they have their own counts, the group is made the other part.
Group begin_split(Group& group, unsigned candidate, GroupStack& stack) noexcept;
void end_split(Group& group, Group& small) noexcept;

}  // namespace heron::inline v0::treezip
