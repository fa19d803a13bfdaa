#include "expression/combine.h"

#include <algorithm>
#include <iterator>

namespace heron::inline v0 {
namespace {

template <class Many>
void flatten(std::vector<BoundPredicate> parts, std::vector<BoundPredicate>& flat) {
  for (BoundPredicate& part : parts) {
    if (auto* many = std::get_if<Many>(&part)) {
      std::move(many->parts.begin(), many->parts.end(), std::back_inserter(flat));
    } else {
      flat.push_back(std::move(part));
    }
  }
}

// Merges all sets of a column into one, at the position of the first.
template <class Unite>
std::vector<BoundPredicate> with_one_set_a_column(std::vector<BoundPredicate> parts,
                                             const NamedColumns& columns, Unite unite) {
  std::map<uint64_t, std::vector<ValueSet>> sets;
  for (BoundPredicate& part : parts) {
    if (auto* set = std::get_if<InSet>(&part)) sets[set->column].push_back(std::move(set->set));
  }
  std::vector<BoundPredicate> fewer;
  for (BoundPredicate& part : parts) {
    const auto* set = std::get_if<InSet>(&part);
    if (set == nullptr) {
      fewer.push_back(std::move(part));
    } else if (const auto node = sets.extract(set->column)) {
      const Type& type = columns.type(set->column);
      fewer.push_back(in_set(set->column, type, unite(type, node.mapped())));
    }
  }
  return fewer;
}

template <class Many, class Unite>
BoundPredicate combined(std::vector<BoundPredicate> parts, const NamedColumns& columns,
                        Unite unite) {
  constexpr bool kDecides = std::is_same_v<Many, AnyOf>;
  std::vector<BoundPredicate> flat;
  flatten<Many>(std::move(parts), flat);
  flat = with_one_set_a_column(std::move(flat), columns, unite);
  const auto decides = [](const BoundPredicate& part) {
    const auto* always = std::get_if<Always>(&part);
    return always != nullptr && always->is_true == kDecides;
  };
  if (std::any_of(flat.begin(), flat.end(), decides)) return Always{kDecides};
  std::erase_if(flat,
                [](const BoundPredicate& part) { return std::holds_alternative<Always>(part); });
  if (flat.empty()) return Always{!kDecides};
  if (flat.size() == 1) return std::move(flat.front());
  return Many{std::move(flat)};
}

}  // namespace

BoundPredicate in_set(uint64_t column, const Type& type, ValueSet set) {
  if (is_empty(set)) return Always{false};
  if (is_empty(complement(type, set))) return IsNull{column, true};
  return InSet{column, std::move(set)};
}

BoundPredicate all_of(std::vector<BoundPredicate> parts, const NamedColumns& columns) {
  return combined<AllOf>(std::move(parts), columns, intersected);
}

BoundPredicate any_of(std::vector<BoundPredicate> parts, const NamedColumns& columns) {
  return combined<AnyOf>(std::move(parts), columns, united);
}

}  // namespace heron::inline v0
