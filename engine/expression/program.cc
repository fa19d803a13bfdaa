#include "expression/program.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <string_view>

#include "expression/functions/function.h"

namespace heron::inline v0 {

// Finds equal parts by a key of all that distinguishes them.
class Program::Building {
 public:
  explicit Building(Program& program) : program_(program) {}

  uint32_t add(const Expression& expression) {
    std::vector<uint32_t> parts;
    parts.reserve(expression.parts.size());
    for (const Expression& part : expression.parts) parts.push_back(add(part));
    const auto [at, is_new] = known_.try_emplace(key_of(expression, parts), 0);
    if (is_new) {
      at->second = static_cast<uint32_t>(program_.nodes_.size());
      program_.nodes_.push_back({without_grandparts(expression), std::move(parts)});
    }
    return at->second;
  }

 private:
  // Kernels look at the types of their arguments, not at what these were computed from.
  static Expression without_grandparts(const Expression& of) {
    Expression copy = shallow(of);
    for (const Expression& part : of.parts) copy.parts.push_back(shallow(part));
    return copy;
  }
  static Expression shallow(const Expression& of) {
    Expression copy;
    copy.kind = of.kind;
    copy.value = of.value;
    copy.type = of.type;
    copy.column = of.column;
    copy.constant = of.constant;
    copy.function = of.function;
    copy.option = of.option;
    copy.set = of.set;
    copy.like = of.like;
    copy.regex = of.regex;
    copy.range = of.range;
    copy.offset = of.offset;
    return copy;
  }

  template <class T>
  static void append(std::string& key, const T& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  static std::string key_of(const Expression& expression, const std::vector<uint32_t>& parts) {
    std::string key = expression.type.name();
    append(key, expression.kind);
    append(key, expression.value);
    append(key, expression.column);
    append(key, expression.function);
    append(key, expression.option);
    append(key, expression.set.get());
    append(key, expression.like.get());
    for (const uint32_t part : parts) append(key, part);
    append(key, expression.constant.index());
    if (const auto* whole = std::get_if<Int128>(&expression.constant)) append(key, *whole);
    if (const auto* number = std::get_if<double>(&expression.constant)) append(key, *number);
    if (const auto* text = std::get_if<std::string>(&expression.constant)) key += *text;
    return key;
  }

  Program& program_;
  std::map<std::string, uint32_t, std::less<>> known_;
};

namespace {

// Returns whether the node is NaN in each row where one of its parts is NaN and needed. The tests
// of a choice are bools, which no function that shows NaNs makes.
bool shows_parts(const Expression& node) {
  constexpr std::string_view kFunctions[] = {"abs",   "arithmetic", "ceil", "floor",
                                             "negate", "round",     "sqrt", "trunc"};
  switch (node.kind) {
    case Expression::Kind::Case:
    case Expression::Kind::Coalesce: return true;
    case Expression::Kind::Call:
      return std::find(std::begin(kFunctions), std::end(kFunctions), node.function->name) !=
             std::end(kFunctions);
    default: return false;
  }
}

}  // namespace

Program::Program(const Expression& expression, const SourceText& source)
    : file_(source.file), what_(source.what), text_(source.text) {
  Building(*this).add(expression);
  for (const Node& node : nodes_) {
    if (node.expression.kind == Expression::Kind::Column)
      columns_.push_back(node.expression.column);
  }
  find_shown_nans();
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

// A node hides NaNs if any node that it is a part of hides them.
void Program::find_shown_nans() {
  std::vector<bool> hides(nodes_.size());
  hides.back() = root().expression.kind == Expression::Kind::Column;
  for (uint64_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.expression.kind == Expression::Kind::Column) {
      node.shows_nans = node.expression.type.is_float() && !hides[i];
      shows_nans_ = shows_nans_ || node.shows_nans;
    }
    const bool hides_parts = hides[i] || !shows_parts(node.expression);
    for (const uint32_t part : node.parts) hides[part] = hides[part] || hides_parts;
  }
}

}  // namespace heron::inline v0
