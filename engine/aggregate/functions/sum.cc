// sum, and the states that it shares.
#include <bit>
#include <concepts>

#include "aggregate/exact_sum.h"
#include "aggregate/functions/bools.h"
#include "aggregate/functions/column_totals.h"
#include "aggregate/functions/decimal_sums.h"
#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {
namespace {

// Holds the exact sum of integers: in a word as long as one holds it, else in memory of its own,
// which copies share until free(), as in ExactSum. add, merge and load return by how many bytes
// that memory grew.
class IntegerSum {
 public:
  uint64_t add(std::integral auto value) {
    int64_t sum;
    const bool is_beyond = __builtin_add_overflow(word_, value, &sum);
    const uint64_t count = count_ + 1;
    if (is_beyond | ((count & kWide) != 0)) [[unlikely]] {
      ++count_;
      return add_wide(value);
    }
    word_ = sum;
    count_ = count;
    return 0;
  }
  uint64_t merge(const IntegerSum& next) {
    count_ += next.count();
    return add_wide(next.sum());
  }
  uint64_t count() const noexcept { return count_ & ~kWide; }
  Int128 sum() const noexcept { return is_wide() ? *wide() : word_; }
  double rounded() const noexcept { return static_cast<double>(sum()); }
  void save(StateWriter& to) const {
    to.put(sum());
    to.put(count());
  }
  uint64_t load(StateReader& from) {
    const uint64_t bytes = add_wide(from.take<Int128>());
    const auto count = from.take<uint64_t>();
    if ((count & kWide) != 0) StateReader::fail_damaged();
    count_ += count;
    return bytes;
  }
  void free() noexcept {
    if (is_wide()) delete wide();
  }

 private:
  static constexpr uint64_t kWide = uint64_t{1} << 63;

  bool is_wide() const noexcept { return (count_ & kWide) != 0; }
  Int128* wide() const noexcept { return std::bit_cast<Int128*>(word_); }
  [[gnu::noinline]] uint64_t add_wide(Int128 value) {
    const Int128 all = sum() + value;
    if (is_wide()) {
      *wide() = all;
      return 0;
    }
    if (all >= INT64_MIN && all <= INT64_MAX) {
      word_ = static_cast<int64_t>(all);
      return 0;
    }
    word_ = std::bit_cast<int64_t>(new Int128(all));
    count_ |= kWide;
    return sizeof(Int128);
  }

  int64_t word_ = 0;    // the sum, or the address of a wide one
  uint64_t count_ = 0;  // number of values; the highest bit: the sum is wide
};

class FloatSumOfGroup {
 public:
  uint64_t add(double value) {
    ++count_;
    return sum_.add(value);
  }
  uint64_t merge(const FloatSumOfGroup& next) {
    count_ += next.count_;
    return sum_.merge(next.sum_);
  }
  uint64_t count() const noexcept { return count_; }
  double rounded() const { return sum_.rounded(); }
  void save(StateWriter& to) const {
    sum_.save(to);
    to.put(count_);
  }
  uint64_t load(StateReader& from) {
    const uint64_t bytes = sum_.load(from);
    count_ = from.take<uint64_t>();
    return bytes;
  }
  void free() noexcept { sum_.free(); }

 private:
  ExactSum<2> sum_;
  uint64_t count_ = 0;
};

template <class Sum>
struct GroupSum : Sum {
  ScalarView result(const Aggregate& one) const {
    const uint64_t values = this->count();
    if (values == 0) return {};
    const double sum = this->rounded();
    return one.function == Aggregate::Function::Mean ? sum / static_cast<double>(values) : sum;
  }
  std::optional<Int128> integer_sum() const {
    if constexpr (requires { this->sum(); }) {
      if (this->count() != 0) return this->sum();
    }
    return std::nullopt;
  }
};

template <class T>
using GroupSums = GroupStates<
    GroupSum<std::conditional_t<std::is_floating_point_v<T>, FloatSumOfGroup, IntegerSum>>, T>;

}  // namespace

std::unique_ptr<AggregateState> make_sums(const StateOf& of) {
  if (of.type.is(Type::Decimal)) return std::make_unique<DecimalSums>(of.type);
  return make_of_cells<GroupSums>(of.type);
}

std::unique_ptr<AggregateState> make_bools(const StateOf&) {
  return std::make_unique<BoolStates>();
}

std::unique_ptr<AggregateState> make_totals(const StateOf& of) {
  if (of.type.is(Type::DateTimeOffset)) return std::make_unique<ColumnTotals<int64_t>>(of);
  return visit_cell_type(of.type, [&]<class T>() -> std::unique_ptr<AggregateState> {
    return std::make_unique<ColumnTotals<T>>(of);
  });
}

extern const AggregateFunction kSum{
    .name = "sum",
    .accepts = [](const Type& type) { return is_numeric(type) || type.is(Type::Bool); },
    .lacks = " have no sum",
    .type =
        [](const StateOf& of) {
          if (of.type.is(Type::Decimal)) {
            return Type::decimal(Type::kMaxPrecision, of.type.scale());
          }
          return Type(of.type.is_float() ? Type::Float64 : Type::Int128);
        },
    .state = [](const StateOf& of) { return shared_or(of, make_sums); }};

}  // namespace heron::inline v0
