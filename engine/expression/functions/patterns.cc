// Functions of regular expressions, with DuckDB's names, options and meaning.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "expression/functions/function.h"
#include "expression/functions/regex.h"

namespace heron::inline v0 {
namespace {

// The option of a test whose texts have the pattern of its regex's like().
constexpr uint8_t kHasLike = 1;

void regexp_test_kernel(const KernelCall& call) {
  const auto* texts = call.argument<std::string_view>(0);
  const Regex* regex = call.expression.regex.get();
  if (call.expression.option == kHasLike)
    call.set_active_bits([&](uint64_t i) { return regex->decide(texts[i]); });
  else
    call.set_active_bits([&](uint64_t i) { return (*regex)(texts[i]); });
}

void regexp_extract_kernel(const KernelCall& call) {
  const auto* texts = call.argument<std::string_view>(0);
  const Regex* regex = call.expression.regex.get();
  const uint64_t group = call.expression.option;
  auto* to = call.result<std::string_view>();
  call.each([&](uint64_t i) { to[i] = regex->group(texts[i], group); });
}

void regexp_replace_kernel(const KernelCall& call) {
  const auto* texts = call.argument<std::string_view>(0);
  const auto* replacements = call.argument<std::string_view>(2);
  const Regex* regex = call.expression.regex.get();
  const bool is_constant = call.expression.parts[2].is_constant();
  auto* to = call.result<std::string_view>();
  std::string made;
  std::vector<size_t> ends;
  call.each([&](uint64_t i) {
    if (!is_constant) {  // a constant one was checked before
      const std::string fault = regex->fault_of(replacements[i]);
      if (!fault.empty()) call.fail("expected a replacement: ", fault);
    }
    regex->replace(texts[i], replacements[i], KernelCall::kMaxTextBytes, made);
    if (made.size() > KernelCall::kMaxTextBytes) call.text_room(made.size());
    ends.push_back(made.size());
  });
  char* const out = call.text_room(made.size());
  std::copy(made.begin(), made.end(), out);
  size_t begin = 0, next = 0;
  call.each([&](uint64_t i) {
    to[i] = {out + begin, ends[next] - begin};
    begin = ends[next++];
  });
}

// Returns the text of a constant; null if the constant is null.
const std::string* constant_text(const Expression& call, size_t part, std::string_view what,
                                 const SourceText& source) {
  const Expression& value = call.parts[part];
  if (!value.is_constant()) {
    source.fail_at(ErrorKind::Argument, value.offset, "expected the ", what, " of ",
                   call.function->name, " as a text in quotes: it is the same for all rows");
  }
  return std::get_if<std::string>(&value.constant);
}

RegexOptions options_of(const std::string& letters, bool replaces, const Expression& call,
                        size_t part, const SourceText& source) {
  RegexOptions options;
  for (const char letter : letters) {
    switch (letter) {
      case 'c': options.ignore_case = false; continue;
      case 'i': options.ignore_case = true; continue;
      case 'l': options.literal = true; continue;
      case 'm':
      case 'n':
      case 'p': options.point_is_newline = false; continue;
      case 's': options.point_is_newline = true; continue;
      case ' ': continue;
      default: break;
    }
    if (letter == 'g' && replaces) {
      options.all = true;
      continue;
    }
    source.fail_at(ErrorKind::Argument, call.parts[part].offset,
                   "expected options out of c, i, l, ", "m, s", replaces ? " and g" : "", ", got '",
                   std::string(1, letter), '\'');
  }
  return options;
}

// Compiles the pattern, argument 1, with the options, argument `last` if there is one. A call with
// a null needs nothing: its result is null.
void compile(Expression& call, size_t last, bool whole, bool replaces, const SourceText& source) {
  const std::string* pattern = constant_text(call, 1, "pattern", source);
  RegexOptions options;
  if (last < call.parts.size()) {
    const std::string* letters = constant_text(call, last, "options", source);
    if (letters == nullptr) return;
    options = options_of(*letters, replaces, call, last, source);
  }
  if (pattern == nullptr) return;
  call.regex =
      std::make_shared<const Regex>(*pattern, options, whole, source, call.parts[1].offset);
}

void shape_matches(Expression& call, const SourceText& source) {
  compile(call, 2, false, false, source);
}
void shape_full_match(Expression& call, const SourceText& source) {
  compile(call, 2, true, false, source);
}

void shape_extract(Expression& call, const SourceText& source) {
  compile(call, 3, false, false, source);
  if (call.parts.size() < 3 || call.regex == nullptr) return;
  const Expression& group = call.parts[2];
  const auto* number = std::get_if<Int128>(&group.constant);
  if (!group.is_constant()) {
    source.fail_at(ErrorKind::Argument, group.offset, "expected the number of a group, which is ",
                   "the same for all rows");
  }
  if (number == nullptr) return;
  const uint64_t most = std::min(call.regex->groups(), Regex::kMaxGroups);
  if (*number < 0 || *number > most) {
    source.fail_at(ErrorKind::Argument, group.offset, "expected the number of a group, 0 to ",
                   most);
  }
  call.option = static_cast<uint8_t>(*number);
}

void shape_replace(Expression& call, const SourceText& source) {
  compile(call, 3, false, true, source);
  const auto* replacement = std::get_if<std::string>(&call.parts[2].constant);
  if (call.regex == nullptr || !call.parts[2].is_constant() || replacement == nullptr) return;
  if (const std::string fault = call.regex->fault_of(*replacement); !fault.empty()) {
    source.fail_at(ErrorKind::Argument, call.parts[2].offset, "expected a replacement: ", fault);
  }
}

using P = Parameter;
constexpr Function kPatternFunctions[] = {
    {"regexp_matches",
     "text, pattern [, options]",
     {P::Text, P::Text, P::Text},
     2,
     3,
     Result::Bool,
     regexp_test_kernel,
     "whether the regular expression matches a part of the text",
     false,
     shape_matches},
    {"regexp_full_match",
     "text, pattern [, options]",
     {P::Text, P::Text, P::Text},
     2,
     3,
     Result::Bool,
     regexp_test_kernel,
     "whether the regular expression matches all of the text",
     false,
     shape_full_match},
    {"regexp_extract",
     "text, pattern [, group [, options]]",
     {P::Text, P::Text, P::Integer, P::Text},
     2,
     4,
     Result::Text,
     regexp_extract_kernel,
     "what the first match, or a group of it, has matched; '' if nothing",
     false,
     shape_extract},
    {"regexp_replace",
     "text, pattern, new [, options]",
     {P::Text, P::Text, P::Text, P::Text},
     3,
     4,
     Result::Text,
     regexp_replace_kernel,
     "with `new` instead of the first match, with option 'g' of all; \\1 is what group 1 matched",
     false,
     shape_replace},
};

}  // namespace

Expression of_likely_texts(const Expression& regex_test) {
  Expression test = regex_test;
  test.option = kHasLike;
  return test;
}

std::span<const Function> pattern_functions() {
  return kPatternFunctions;
}

}  // namespace heron::inline v0
