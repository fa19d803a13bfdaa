// Comparisons and tests, which are bools: a op b, in a set, like, not, is null, is nan, is true.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "base/utf8.h"
#include "expression/functions/cell_kernels.h"
#include "expression/functions/case_map.h"
#include "expression/functions/decimals.h"
#include "expression/functions/function.h"
#include "expression/functions/like_match.h"
#include "values/scalar.h"
#include "values/text_cells.h"

namespace heron::inline v0 {
namespace {

// Unequal, like the other operators, is never true for NaNs.
struct Unequal {
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return a < b || a > b;
  }
};

template <class Visit>
void with_operator(CompareOperator op, Visit&& visit) {
  switch (op) {
    case CompareOperator::Equal: return visit(std::equal_to<>());
    case CompareOperator::NotEqual: return visit(Unequal());
    case CompareOperator::Less: return visit(std::less<>());
    case CompareOperator::LessEqual: return visit(std::less_equal<>());
    case CompareOperator::Greater: return visit(std::greater<>());
    case CompareOperator::GreaterEqual: return visit(std::greater_equal<>());
  }
}

// Returns a number that compares with 0 as an integer does with a float: NaN if they are unordered.
double sign_of(std::partial_ordering order) {
  if (order == std::partial_ordering::unordered) return std::numeric_limits<double>::quiet_NaN();
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

template <class T>
constexpr bool kIsNumber =
    std::is_same_v<T, double> || std::is_same_v<T, int64_t> || std::is_same_v<T, Int128>;

// Calls visit(pointer to the values) for values other than bools.
template <class Visit>
void with_values(const Vector& vector, Visit&& visit) {
  switch (vector.kind) {
    case ValueKind::Bool:
    case ValueKind::List: return;
    case ValueKind::Integer: return visit(vector.as<int64_t>());
    case ValueKind::Wide: return visit(vector.as<Int128>());
    case ValueKind::Float: return visit(vector.as<double>());
    case ValueKind::Text: return visit(vector.as<std::string_view>());
    case ValueKind::RowId: return visit(vector.as<UInt128>());
  }
}

template <class A, class B>
void compare_values(const KernelCall& call, const A* left, const B* right) {
  with_operator(static_cast<CompareOperator>(call.expression.option), [&](auto holds) {
    if constexpr (std::is_same_v<A, std::string_view>) {
      call.set_active_bits([&](uint64_t i) { return holds(left[i], right[i]); });
    } else if constexpr (std::is_same_v<A, double> == std::is_same_v<B, double>) {
      passing_bits([holds](A a, B b) -> bool { return holds(a, b); }, call.rows,
                   call.result<uint64_t>(), left, right);
    } else if constexpr (std::is_same_v<B, double>) {
      call.set_bits([&](uint64_t i) -> bool {
        return holds(sign_of(compare_exactly(left[i], right[i])), 0.0);
      });
    } else {
      call.set_bits([&](uint64_t i) -> bool {
        return holds(0.0, sign_of(compare_exactly(right[i], left[i])));
      });
    }
  });
}

bool compare_bits(CompareOperator op, bool a, bool b) {
  bool is_true = false;
  with_operator(op, [&](auto holds) { is_true = holds(int{a}, int{b}); });
  return is_true;
}

void compare_kernel(const KernelCall& call) {
  if (call.arguments[0].kind == ValueKind::Bool) {
    const auto* left = call.argument<uint64_t>(0);
    const auto* right = call.argument<uint64_t>(1);
    const auto op = static_cast<CompareOperator>(call.expression.option);
    auto* to = call.result<uint64_t>();
    for (uint64_t i = 0; i < bit_words(call.rows); ++i) {
      to[i] = 0;
      for (const bool a : {false, true}) {
        for (const bool b : {false, true}) {
          if (compare_bits(op, a, b))
            to[i] |= (a ? left[i] : ~left[i]) & (b ? right[i] : ~right[i]);
        }
      }
    }
    return;
  }
  with_values(call.arguments[0], [&]<class A>(const A* left) {
    with_values(call.arguments[1], [&]<class B>(const B* right) {
      if constexpr (std::is_same_v<A, B> || (kIsNumber<A> && kIsNumber<B>)) {
        compare_values(call, left, right);
      }
    });
  });
}

// A test for one interval, which the first eight bytes of a text decide nearly always.
class TextTest {
 public:
  explicit TextTest(const TextInterval& interval)
      : interval_(interval),
        low_(first_of(interval.low)),
        below_(interval.below ? first_of(*interval.below) : UINT64_MAX),
        is_one_text_(interval.below == interval.low + '\0') {}

  // The only text that passes, if there is one.
  const std::string* only_text() const { return is_one_text_ ? &interval_.low : nullptr; }

  bool operator()(std::string_view text) const {
    const uint64_t first = first_of(text);
    if (is_one_text_) {
      return first == low_ && text.size() == interval_.low.size() &&
             (text.size() <= kEight || text == interval_.low);
    }
    if (first < low_ || first > below_) return false;
    if (first > low_ && (first < below_ || !interval_.below)) return true;
    return text >= interval_.low && (!interval_.below || text < *interval_.below);
  }

 private:
  static uint64_t first_of(std::string_view text) { return in_order_of_texts(first_eight(text)); }

  const TextInterval& interval_;
  const uint64_t low_, below_;
  const bool is_one_text_;
};

bool is_in(const TextInterval& interval, std::string_view text) {
  return text >= interval.low && (!interval.below || text < *interval.below);
}
template <class T, class Value>
bool is_in(const Interval<T>& interval, const Value& value) {
  return value >= static_cast<Value>(interval.low) && value <= static_cast<Value>(interval.high);
}

// Returns whether one of the ascending intervals has the value.
template <class Of, class Value>
bool is_in_any(const std::vector<Of>& intervals, const Value& value) {
  const auto after = std::partition_point(intervals.begin(), intervals.end(), [&](const Of& one) {
    return !(value < static_cast<Value>(one.low));
  });
  return after != intervals.begin() && is_in(*std::prev(after), value);
}

// Finds rows whose text equals `target`; the texts are consecutive. The length and the bits of
// `mask` in the first eight bytes decide nearly always, without a branch; is_equal(text) decides
// longer texts that agree in these bits.
template <class IsEqual>
void find_text(const KernelCall& call, std::string_view target, uint64_t mask, IsEqual is_equal) {
  const auto* texts = call.argument<std::string_view>(0);
  const char* const end = call.arguments[0].texts_end;
  uint64_t rows = call.rows;  // up to the last that has eight readable bytes
  while (rows != 0 && static_cast<uint64_t>(end - texts[rows - 1].data()) < kEight) --rows;
  auto* bits = call.result<uint64_t>();
  std::fill_n(bits, bit_words(call.rows), uint64_t{0});
  const uint64_t size = target.size(), first = first_eight(target);
  passing_bits(
      [=](std::string_view text) {
        const uint64_t difference = (load_eight(text.data()) ^ first) & mask;
        return (difference | (text.size() ^ size)) == 0;
      },
      rows, bits, texts);
  for (uint64_t i = rows; i < call.rows; ++i) {
    bits[i / 64] |= uint64_t{is_equal(texts[i])} << i % 64;
  }
  if (size > kEight) keep_rows(rows, bits, [&](uint64_t i) { return is_equal(texts[i]); });
}

// Returns a mask for the first eight bytes of a text that is `target` in either case: all bits
// except those that distinguish the cases of letters.
uint64_t mask_of_case(std::string_view target, bool lower) {
  const uint64_t first = first_eight(target);
  const uint64_t letters = case_bits(first & ~kHighBits, lower ? 'a' : 'A', lower ? 'z' : 'Z');
  return low_bytes(target.size()) & ~(letters & ~((first & kHighBits) >> 2));
}

// Tests whether the text in lower case, or upper case, is the only one of a set: mostly without
// writing it.
template <bool kLower>
void in_case_kernel(const KernelCall& call) {
  const auto& intervals = std::get<std::vector<TextInterval>>(call.expression.set->intervals);
  const std::string& target = intervals.front().low;
  std::string buffer;
  const auto is_equal = [&](std::string_view text) {
    if (text.size() > 3 * target.size() || target.size() > 3 * text.size()) return false;
    buffer.resize(3 * text.size() + kMappedSlack);
    const char* end = kLower ? write_lower(text, buffer.data()) : write_upper(text, buffer.data());
    return std::string_view(buffer.data(), static_cast<size_t>(end - buffer.data())) == target;
  };
  const auto block = call.text_block(0);
  if (block && (maps_only_ascii_to(target, kLower) || is_ascii(*block))) {
    // A mapped text has no character of the other case left.
    const bool can_be = std::none_of(target.begin(), target.end(), [](char c) {
      return kLower ? c >= 'A' && c <= 'Z' : c >= 'a' && c <= 'z';
    });
    if (can_be) return find_text(call, target, mask_of_case(target, kLower), is_equal);
    std::fill_n(call.result<uint64_t>(), bit_words(call.rows), uint64_t{0});
    return;
  }
  const auto* texts = call.argument<std::string_view>(0);
  call.set_active_bits([&](uint64_t i) { return is_equal(texts[i]); });
}

template <class Of, class Value>
void test_values(const KernelCall& call, const std::vector<Of>& intervals, const Value* values) {
  if (intervals.size() != 1) {
    call.set_active_bits([&](uint64_t i) { return is_in_any(intervals, values[i]); });
  } else if constexpr (std::is_same_v<Of, TextInterval>) {
    const TextTest test(intervals.front());
    if (const std::string* only = test.only_text(); only != nullptr && call.text_block(0)) {
      return find_text(call, *only, low_bytes(only->size()),
                       [only](std::string_view text) { return text == *only; });
    }
    call.set_active_bits([&](uint64_t i) { return test(values[i]); });
  } else {
    const Of only = intervals.front();
    if constexpr (std::is_same_v<Value, double> || std::is_same_v<Value, int64_t>) {
      const auto low = static_cast<Value>(only.low), high = static_cast<Value>(only.high);
      passing_bits([low, high](Value value) { return bool(value >= low) & bool(value <= high); },
                   call.rows, call.result<uint64_t>(), values);
    } else {
      call.set_bits([&](uint64_t i) { return is_in(only, values[i]); });
    }
  }
}

// Integers of 64 bits are compared in 128: those of uint64 intervals are not all int64.
void test_values(const KernelCall& call, const std::vector<Interval<uint64_t>>& intervals,
                 const int64_t* values) {
  call.set_bits([&](uint64_t i) { return is_in_any(intervals, Int128{values[i]}); });
}

// Whether values of the kind can be in intervals of T.
template <class T, class Value>
constexpr bool kMatch = [] {
  if (std::is_same_v<T, TextInterval>) return std::is_same_v<Value, std::string_view>;
  if (std::is_same_v<T, Interval<double>>) return std::is_same_v<Value, double>;
  if (std::is_same_v<T, Interval<UInt128>>) return std::is_same_v<Value, UInt128>;
  if (std::is_same_v<Value, int64_t>) return !std::is_same_v<T, Interval<Int128>>;
  return std::is_same_v<Value, Int128>;
}();

void in_set_kernel(const KernelCall& call) {
  const ValueSet& set = *call.expression.set;
  if (call.arguments[0].kind == ValueKind::Bool) {
    const auto& intervals = std::get<std::vector<Interval<uint64_t>>>(set.intervals);
    const auto* bits = call.argument<uint64_t>(0);
    auto* to = call.result<uint64_t>();
    const uint64_t ones = is_in_any(intervals, uint64_t{1}) ? UINT64_MAX : 0;
    const uint64_t zeros = is_in_any(intervals, uint64_t{0}) ? UINT64_MAX : 0;
    for (uint64_t i = 0; i < bit_words(call.rows); ++i)
      to[i] = (bits[i] & ones) | (~bits[i] & zeros);
    return;
  }
  with_values(call.arguments[0], [&]<class Value>(const Value* values) {
    std::visit(
        [&]<class Of>(const std::vector<Of>& intervals) {
          if constexpr (kMatch<Of, Value>) test_values(call, intervals, values);
        },
        set.intervals);
    if constexpr (std::is_same_v<Value, double>) {
      auto* to = call.result<uint64_t>();
      for (uint64_t i = 0; set.nan && i < call.rows; ++i) {
        to[i / 64] |= uint64_t{std::isnan(values[i])} << i % 64;
      }
    }
  });
}

void like_kernel(const KernelCall& call) {
  const auto* texts = call.argument<std::string_view>(0);
  const LikeMatch& matches = *call.expression.like;
  const bool ignores_case = call.expression.option != 0;
  std::string folded;
  call.set_active_bits([&](uint64_t i) {
    if (!ignores_case) return matches(texts[i]);
    fold_case(texts[i], folded);
    return matches(folded);
  });
}

void not_kernel(const KernelCall& call) {
  const auto* from = call.argument<uint64_t>(0);
  auto* to = call.result<uint64_t>();
  for (uint64_t i = 0; i < bit_words(call.rows); ++i) to[i] = ~from[i];
}

void is_null_kernel(const KernelCall& call) {
  auto* to = call.result<uint64_t>();
  for (uint64_t i = 0; i < bit_words(call.rows); ++i) to[i] = ~call.arguments[0].valid[i];
}

void is_nan_kernel(const KernelCall& call) {
  const double* values = call.argument<double>(0);
  call.set_bits([&](uint64_t i) { return std::isnan(values[i]); });
}

void is_truth_kernel(const KernelCall& call) {
  const auto* from = call.argument<uint64_t>(0);
  const uint64_t turned = call.expression.option != 0 ? 0 : UINT64_MAX;
  auto* to = call.result<uint64_t>();
  for (uint64_t i = 0; i < bit_words(call.rows); ++i) {
    to[i] = (from[i] ^ turned) & call.arguments[0].valid[i];
  }
}

constexpr Function kCompare{"compare", {}, {}, 2, 2, Result::Bool, compare_kernel, {}};
constexpr Function kInSet{"in", {}, {}, 1, 1, Result::Bool, in_set_kernel, {}};
constexpr Function kInLower{"in lower", {}, {}, 1, 1, Result::Bool, in_case_kernel<true>, {}};
constexpr Function kInUpper{"in upper", {}, {}, 1, 1, Result::Bool, in_case_kernel<false>, {}};
constexpr Function kLike{"like", {}, {}, 1, 1, Result::Bool, like_kernel, {}};
constexpr Function kNot{"not", {}, {}, 1, 1, Result::Bool, not_kernel, {}};
constexpr Function kIsNull{"is null", {}, {}, 1, 1, Result::Bool, is_null_kernel, {}, true};
constexpr Function kIsNaN{"is nan", {}, {}, 1, 1, Result::Bool, is_nan_kernel, {}};
constexpr Function kIsTruth{"is true", {}, {}, 1, 1, Result::Bool, is_truth_kernel, {}, true};

Expression test(const Function& function, Expression value, uint8_t option = 0) {
  Expression call;
  call.kind = Expression::Kind::Call;
  call.function = &function;
  call.value = ValueKind::Bool;
  call.type = Type::Bool;
  call.option = option;
  call.offset = value.offset;
  call.parts.push_back(std::move(value));
  return call;
}

bool is_one_text(const ValueSet& set) {
  const auto* intervals = std::get_if<std::vector<TextInterval>>(&set.intervals);
  return intervals != nullptr && intervals->size() == 1 &&
         intervals->front().below == intervals->front().low + '\0';
}

}  // namespace

Expression compare(CompareOperator op, Expression a, Expression b) {
  if (differ_in_scale(a, b)) return compare_decimals(op, std::move(a), std::move(b));
  Expression call = test(kCompare, std::move(a), static_cast<uint8_t>(op));
  call.parts.push_back(std::move(b));
  return call;
}

Expression in_set(Expression value, ValueSet set) {
  const Function* function = &kInSet;
  if (value.kind == Expression::Kind::Call && is_one_text(set)) {
    if (value.function->name == "lower") function = &kInLower;
    if (value.function->name == "upper") function = &kInUpper;
    // Moves the first part out of its value.
    if (function != &kInSet) value = Expression(std::move(value.parts.front()));
  }
  Expression call = test(*function, std::move(value));
  call.set = std::make_shared<const ValueSet>(std::move(set));
  return call;
}

Expression like(Expression text, const LikePattern& pattern, bool ignore_case) {
  Expression call = test(kLike, std::move(text), ignore_case ? 1 : 0);
  LikePattern folded = pattern;
  if (ignore_case) {
    for (auto& piece : folded.pieces) fold_case(std::string(piece.text), piece.text);
  }
  call.like = std::make_shared<const LikeMatch>(folded);
  return call;
}

Expression negation(Expression truth) {
  return test(kNot, std::move(truth));
}
Expression is_null(Expression value) {
  return test(kIsNull, std::move(value));
}
Expression is_nan(Expression number) {
  return test(kIsNaN, std::move(number));
}
Expression is_truth(Expression truth, bool which) {
  return test(kIsTruth, std::move(truth), which ? 1 : 0);
}

}  // namespace heron::inline v0
