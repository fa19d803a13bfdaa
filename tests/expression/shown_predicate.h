// Predicates as text, so that tests can compare them with expected ones.
#pragma once

#include <string>

#include "base/fail.h"
#include "expression/bound_predicate.h"
#include "expression/functions/function.h"
#include "heron/error.h"

namespace heron::test {

inline std::string shown(Int128 value) {
  if (value < 0) return "-" + shown(-value);
  return value < 10 ? std::string(1, static_cast<char>('0' + static_cast<int>(value)))
                    : shown(value / 10) + shown(value % 10);
}
inline std::string shown(UInt128 value) {
  return shown(static_cast<Int128>(value));
}
template <class T>
std::string shown(T value) {
  return concat(value);
}

// Returns text such as "[3, 5] [7, 9] nan", for texts "[a, b)".
inline std::string shown(const ValueSet& set) {
  std::string text;
  std::visit(
      [&]<class T>(const std::vector<T>& intervals) {
        for (const T& interval : intervals) {
          if constexpr (std::is_same_v<T, TextInterval>) {
            text += concat('[', interval.low, ", ", interval.below.value_or(".."), ") ");
          } else {
            text += concat('[', shown(interval.low), ", ", shown(interval.high), "] ");
          }
        }
      },
      set.intervals);
  if (set.nan) text += "nan ";
  if (!text.empty()) text.pop_back();
  return text;
}

// Returns text such as "(c0i + 1i)i"; a conversion is not shown.
inline std::string shown(const Expression& expression) {
  static constexpr const char* kArithmetic[] = {"-", " + ", " - ", " * ", " / ", " % "};
  static constexpr const char* kCompare[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
  static constexpr const char* kKinds[] = {"b", "i", "w", "f", "t", "r"};
  const std::string kind = kKinds[static_cast<int>(expression.value)];
  const auto& parts = expression.parts;
  if (expression.kind == Expression::Kind::Column) return concat('c', expression.column, kind);
  if (expression.kind == Expression::Kind::Constant) {
    return std::visit(
        [&]<class T>(const T& constant) {
          if constexpr (std::is_same_v<T, std::monostate>)
            return std::string("null");
          else
            return concat(shown(constant), kind);
        },
        expression.constant);
  }
  if (expression.kind != Expression::Kind::Call) return "a choice";
  const std::string_view name = expression.function->name;
  if (name == "convert") return shown(parts[0]);
  if (name == "negate") return concat("(-", shown(parts[0]), ')', kind);
  if (name == "in") return concat(shown(parts[0]), " in ", shown(*expression.set));
  if (name == "compare") {
    return concat(shown(parts[0]), kCompare[expression.option], shown(parts[1]));
  }
  if (name != "arithmetic") return concat(shown(parts[0]), ' ', name);
  const char* sign = kArithmetic[expression.option];
  if (parts.size() == 1) return concat('(', sign, shown(parts[0]), ')', kind);
  return concat('(', shown(parts[0]), sign, shown(parts[1]), ')', kind);
}

inline std::string shown(const LikePattern& pattern) {
  std::string text;
  for (const auto& piece : pattern.pieces) {
    using Kind = LikePattern::Piece::Kind;
    text += piece.kind == Kind::Any ? "%" : piece.kind == Kind::One ? "_" : '<' + piece.text + '>';
  }
  return text;
}

// Returns text such as "all(c0 in [3, 5], c1 is null)".
inline std::string shown(const BoundPredicate& predicate);

inline std::string shown_parts(const char* name, const std::vector<BoundPredicate>& parts) {
  std::string text = concat(name, '(');
  for (const BoundPredicate& part : parts) {
    text += concat(&part == &parts.front() ? "" : ", ", shown(part));
  }
  return text + ')';
}
inline std::string shown_one(const Always& always) {
  return always.is_true ? "true" : "false";
}
inline std::string shown_one(const AllOf& all) {
  return shown_parts("all", all.parts);
}
inline std::string shown_one(const AnyOf& any) {
  return shown_parts("any", any.parts);
}
inline std::string shown_one(const NoneOf& none) {
  return shown_parts("none", none.part);
}
inline std::string shown_one(const InSet& in) {
  return concat('c', in.column, " in ", shown(in.set));
}
inline std::string shown_one(const IsNull& nulls) {
  return concat('c', nulls.column, nulls.negated ? " is not null" : " is null");
}
inline std::string shown_one(const IsLike& like) {
  return concat('c', like.column, like.negated ? " not like " : " like ", shown(like.pattern));
}
inline std::string shown_one(const Holds& holds) {
  return concat(holds.expected ? "" : "not ", shown(holds.expression));
}
inline std::string shown(const BoundPredicate& predicate) {
  return std::visit([](const auto& one) { return shown_one(one); },
                    static_cast<const BoundPredicate::variant&>(predicate));
}

}  // namespace heron::test
