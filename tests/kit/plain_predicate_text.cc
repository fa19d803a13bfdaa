// Writes plain predicates as text: with the parentheses that precedence requires, and others now
// and then.
#include <algorithm>
#include <array>
#include <cctype>

#include "base/fail.h"
#include "heron/error.h"
#include "kit/plain_predicate.h"

namespace heron::inline v0 {
namespace {

using Kind = PlainPredicate::Kind;

// Operators that bind more strongly have larger numbers.
enum Binding : int { kOr, kAnd, kNot, kTest, kSum, kProduct, kSign, kWhole };

std::string in_parentheses(const std::string& text) {
  return '(' + text + ')';
}

Binding binding(const PlainOperand& operand) {
  switch (operand.kind) {
    case PlainOperand::Kind::Negate: return kSign;
    case PlainOperand::Kind::Binary:
      return operand.op == '+' || operand.op == '-' ? kSum : kProduct;
    case PlainOperand::Kind::Constant: return operand.spelling.starts_with('-') ? kSign : kWhole;
    case PlainOperand::Kind::Column: break;
  }
  return kWhole;
}

Binding binding(const PlainPredicate& predicate) {
  switch (predicate.kind) {
    case Kind::And: return kAnd;
    case Kind::Or: return kOr;
    case Kind::Not: return kNot;
    case Kind::Constant:
    case Kind::Bool: return kWhole;
    default: return kTest;
  }
}

template <class Part>
std::string part_text(const Part& part, const PlainTable& table, int least) {
  const std::string text = text_of(part, table);
  return binding(part) < least ? in_parentheses(text) : text;
}

std::string keyword(const PlainPredicate& predicate, std::string word) {
  if (predicate.another_way)
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
  return word;
}

std::string joined(const PlainPredicate& predicate, const PlainTable& table, const char* word) {
  std::string text;
  for (const PlainPredicate& part : predicate.parts) {
    if (!text.empty()) text += ' ' + keyword(predicate, word) + ' ';
    text += part_text(part, table, binding(predicate) + predicate.another_way);
  }
  return text;
}

std::string operator_text(const PlainPredicate& predicate) {
  constexpr std::array kOperators{"=", "!=", "<", "<=", ">", ">="};
  constexpr std::array kOthers{"==", "<>", "<", "<=", ">", ">="};
  const auto op = static_cast<size_t>(predicate.op);
  return concat(' ', predicate.another_way ? kOthers[op] : kOperators[op], ' ');
}

std::string list_text(const PlainPredicate& predicate, const PlainTable& table) {
  std::string text;
  for (size_t i = 1; i < predicate.operands.size(); ++i)
    text += concat(i > 1 ? ", " : "", text_of(predicate.operands[i], table));
  return in_parentheses(text);
}

// Returns the text of a test behind the first operand.
std::string test_text(const PlainPredicate& predicate, const PlainTable& table) {
  const auto word = [&](const char* name) { return ' ' + keyword(predicate, name); };
  const auto operand = [&](size_t i) {
    return ' ' + part_text(predicate.operands[i], table, kSum);
  };
  const std::string negation = predicate.negated ? word("not") : "";
  switch (predicate.kind) {
    case Kind::Compare:
      return operator_text(predicate) + part_text(predicate.operands[1], table, kSum);
    case Kind::In: return negation + word("in") + ' ' + list_text(predicate, table);
    case Kind::Between: return negation + word("between") + operand(1) + word("and") + operand(2);
    case Kind::Like: {
      const std::string like = negation + word("like") + ' ' + quoted(predicate.pattern);
      if (!predicate.escape) return like;
      return like + word("escape") + ' ' + quoted(std::string(1, *predicate.escape));
    }
    case Kind::IsNull: return word("is") + negation + word("null");
    case Kind::IsNaN: return word("is") + negation + word("nan");
    default: return "";
  }
}

bool is_keyword(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array kKeywords{"and",    "or",   "not", "in",   "between", "like",
                                 "escape", "null", "nan", "true", "false",   "is"};
  return std::ranges::find(kKeywords, name) != kKeywords.end();
}

std::string name_text(const std::string& name) {
  const bool plain = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '[' || c == ']';
  });
  const auto first = static_cast<unsigned char>(name.empty() ? 0 : name[0]);
  if (plain && (std::isalpha(first) != 0 || first == '_') && !is_keyword(name)) return name;
  std::string text = "`";
  for (const char c : name) text += c == '`' ? "``" : std::string(1, c);
  return text + '`';
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? "''" : std::string(1, c);
  return all + '\'';
}

std::string text_of(const PlainOperand& operand, const PlainTable& table) {
  switch (operand.kind) {
    case PlainOperand::Kind::Column: return name_text(table.columns[operand.column].name);
    case PlainOperand::Kind::Constant: return operand.spelling;
    case PlainOperand::Kind::Negate: return '-' + part_text(operand.parts[0], table, kWhole);
    case PlainOperand::Kind::Binary: break;
  }
  const Binding own = binding(operand);
  return concat(part_text(operand.parts[0], table, own), ' ', operand.op, ' ',
                part_text(operand.parts[1], table, own + 1));
}

std::string text_of(const PlainPredicate& predicate, const PlainTable& table) {
  switch (predicate.kind) {
    case Kind::And: return joined(predicate, table, "and");
    case Kind::Or: return joined(predicate, table, "or");
    case Kind::Not: {
      const int least = kNot + predicate.another_way;
      return keyword(predicate, "not") + ' ' + part_text(predicate.parts[0], table, least);
    }
    case Kind::Constant: return keyword(predicate, predicate.negated ? "false" : "true");
    case Kind::Bool: return text_of(predicate.operands[0], table);
    case Kind::CompareTruths:
      return part_text(predicate.parts[0], table, kWhole) + operator_text(predicate) +
             part_text(predicate.parts[1], table, kWhole);
    default: break;
  }
  return part_text(predicate.operands[0], table, kSum) + test_text(predicate, table);
}

}  // namespace heron::inline v0
