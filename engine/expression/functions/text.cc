// Functions of texts. Characters are code points; a byte that is not UTF-8 is a character.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/utf8.h"
#include "expression/functions/cell_kernels.h"
#include "expression/functions/case_map.h"
#include "expression/functions/function.h"
#include "expression/functions/text_parts.h"

namespace heron::inline v0 {
namespace {

using Text = std::string_view;

// Writes results of at most `factor` bytes for each byte of argument 0: write(text, to) returns the
// end, behind which it may overwrite as much as the room of texts has slack.
template <class Write>
void write_texts(const KernelCall& call, uint64_t factor, Write write) {
  const Text* from = call.argument<Text>(0);
  Text* to = call.result<Text>();
  uint64_t bytes = 0;
  call.each([&](uint64_t i) { bytes += from[i].size(); });
  char* out = call.text_room(factor * bytes);
  call.each([&](uint64_t i) {
    char* end = write(from[i], out);
    to[i] = {out, static_cast<size_t>(end - out)};
    out = end;
  });
}

// `write_ascii` maps all texts at once, if these are ASCII and follow each other; `write` maps one.
void map_case(const KernelCall& call, bool (*write_ascii)(Text, char*) noexcept,
              char* (*write)(Text, char*) noexcept) {
  static_assert(kMappedSlack <= Arena::kSlack);
  if (const auto block = call.text_block(0)) {
    char* out = call.text_room(block->size());
    if (write_ascii(*block, out)) {
      const char* begin = block->data();
      map_each([begin, out](Text text) { return Text(out + (text.data() - begin), text.size()); },
               call.rows, call.result<Text>(), call.argument<Text>(0));
      call.vector.texts_end = out + block->size() + Arena::kSlack;
      call.vector.are_consecutive = true;
      return;
    }
  }
  write_texts(call, 3, write);
}
void lower_kernel(const KernelCall& call) {
  map_case(call, write_lower_ascii, write_lower);
}
void upper_kernel(const KernelCall& call) {
  map_case(call, write_upper_ascii, write_upper);
}
void reverse_kernel(const KernelCall& call) {
  write_texts(call, 1, [](Text text, char* out) {
    char* at = out + text.size();
    for (uint64_t i = 0; i < text.size();) {
      const uint64_t bytes = character_bytes(text, i);
      at -= bytes;
      std::memcpy(at, text.data() + i, bytes);
      i += bytes;
    }
    return out + text.size();
  });
}

void byte_length_kernel(const KernelCall& call) {
  map_each([](Text text) { return static_cast<int64_t>(text.size()); }, call.rows,
           call.result<int64_t>(), call.argument<Text>(0));
}

void length_kernel(const KernelCall& call) {
  if (are_ascii(call)) return byte_length_kernel(call);
  const Text* from = call.argument<Text>(0);
  auto* to = call.result<int64_t>();
  call.each([&](uint64_t i) { to[i] = static_cast<int64_t>(characters_of(from[i])); });
}

// Calls found(offset) for each occurrence that does not overlap the one before.
template <class Found>
void each_occurrence(Text text, Text needle, Found found) {
  if (needle.empty()) return;
  for (size_t at = text.find(needle); at != Text::npos;
       at = text.find(needle, at + needle.size())) {
    found(at);
  }
}

void replace_kernel(const KernelCall& call) {
  const Text* from = call.argument<Text>(0);
  const Text* needle = call.argument<Text>(1);
  const Text* instead = call.argument<Text>(2);
  Text* to = call.result<Text>();
  uint64_t bytes = 0;
  call.each([&](uint64_t i) {
    bytes += from[i].size();
    if (instead[i].size() <= needle[i].size()) return;
    each_occurrence(from[i], needle[i],
                    [&](size_t) { bytes += instead[i].size() - needle[i].size(); });
  });
  char* out = call.text_room(bytes);
  call.each([&](uint64_t i) {
    char* const begin = out;
    size_t copied = 0;
    each_occurrence(from[i], needle[i], [&](size_t at) {
      out = std::copy_n(from[i].data() + copied, at - copied, out);
      out = std::copy_n(instead[i].data(), instead[i].size(), out);
      copied = at + needle[i].size();
    });
    out = std::copy_n(from[i].data() + copied, from[i].size() - copied, out);
    to[i] = {begin, static_cast<size_t>(out - begin)};
  });
}

// Joins the arguments; nulls are left out.
void concat_kernel(const KernelCall& call) {
  Text* to = call.result<Text>();
  uint64_t bytes = 0;
  const auto each_part = [&](uint64_t i, auto&& use) {
    for (const Vector& part : call.arguments) {
      if ((part.valid[i / 64] >> i % 64 & 1) != 0) use(part.as<Text>()[i]);
    }
  };
  call.each([&](uint64_t i) { each_part(i, [&](Text part) { bytes += part.size(); }); });
  char* out = call.text_room(bytes);
  call.each([&](uint64_t i) {
    char* const begin = out;
    each_part(i, [&](Text part) { out = std::copy_n(part.data(), part.size(), out); });
    to[i] = {begin, static_cast<size_t>(out - begin)};
  });
}

template <class Holds>
void test_texts(const KernelCall& call, Holds holds) {
  const Text* from = call.argument<Text>(0);
  const Text* needle = call.argument<Text>(1);
  call.set_active_bits([&](uint64_t i) { return holds(from[i], needle[i]); });
}

void contains_kernel(const KernelCall& call) {
  test_texts(call, [](Text text, Text needle) {
    return needle.empty() ||
           memmem(text.data(), text.size(), needle.data(), needle.size()) != nullptr;
  });
}
void starts_with_kernel(const KernelCall& call) {
  test_texts(call, [](Text text, Text needle) { return text.starts_with(needle); });
}
void ends_with_kernel(const KernelCall& call) {
  test_texts(call, [](Text text, Text needle) { return text.ends_with(needle); });
}

using P = Parameter;
constexpr Function kTextFunctions[] = {
    {"lower",
     "text",
     {P::Text},
     1,
     1,
     Result::Text,
     lower_kernel,
     "the text in lower case, character by character",
     false,
     nullptr,
     write_lower_ascii},
    {"upper",
     "text",
     {P::Text},
     1,
     1,
     Result::Text,
     upper_kernel,
     "the text in upper case, character by character",
     false,
     nullptr,
     write_upper_ascii},
    {"length", "text", {P::Text}, 1, 1, Result::Int64, length_kernel, "its number of characters"},
    {"strlen", "text", {P::Text}, 1, 1, Result::Int64, byte_length_kernel, "its number of bytes"},
    {"reverse",
     "text",
     {P::Text},
     1,
     1,
     Result::Text,
     reverse_kernel,
     "the characters from last to first"},
    {"trim",
     "text [, characters]",
     {P::Text, P::Text},
     1,
     2,
     Result::Text,
     trim_kernel,
     "without these characters (default: spaces) at both ends"},
    {"ltrim",
     "text [, characters]",
     {P::Text, P::Text},
     1,
     2,
     Result::Text,
     ltrim_kernel,
     "without these characters (default: spaces) at the start"},
    {"rtrim",
     "text [, characters]",
     {P::Text, P::Text},
     1,
     2,
     Result::Text,
     rtrim_kernel,
     "without these characters (default: spaces) at the end"},
    {"substr",
     "text, start [, count]",
     {P::Text, P::Integer, P::Integer},
     2,
     3,
     Result::Text,
     substr_kernel,
     "characters from number `start` on, from 1; below 0: from the end",
     false,
     nullptr,
     nullptr,
     substr_part},
    {"substring",
     "text, start [, count]",
     {P::Text, P::Integer, P::Integer},
     2,
     3,
     Result::Text,
     substr_kernel,
     "the same as substr",
     false,
     nullptr,
     nullptr,
     substr_part},
    {"left",
     "text, count",
     {P::Text, P::Integer},
     2,
     2,
     Result::Text,
     left_kernel,
     "the first characters; below 0: all but the last",
     false,
     nullptr,
     nullptr,
     left_part},
    {"right",
     "text, count",
     {P::Text, P::Integer},
     2,
     2,
     Result::Text,
     right_kernel,
     "the last characters; below 0: all but the first"},
    {"replace",
     "text, old, new",
     {P::Text, P::Text, P::Text},
     3,
     3,
     Result::Text,
     replace_kernel,
     "with each `old` replaced by `new`; an empty `old` replaces nothing"},
    {"concat",
     "text, ...",
     {P::Text, P::Text, P::Text, P::Text},
     1,
     Function::kAnyNumber,
     Result::Text,
     concat_kernel,
     "all texts joined; nulls are left out",
     true},
    {"contains",
     "text, part",
     {P::Text, P::Text},
     2,
     2,
     Result::Bool,
     contains_kernel,
     "whether `part` is somewhere in the text"},
    {"starts_with",
     "text, start",
     {P::Text, P::Text},
     2,
     2,
     Result::Bool,
     starts_with_kernel,
     "whether the text begins with `start`"},
    {"ends_with",
     "text, end",
     {P::Text, P::Text},
     2,
     2,
     Result::Bool,
     ends_with_kernel,
     "whether the text ends with `end`"},
    {"||",
     "text || text",
     {P::Text, P::Text},
     2,
     2,
     Result::Text,
     concat_kernel,
     "both texts joined; null if either is"},
};

}  // namespace

std::span<const Function> text_functions() {
  return kTextFunctions;
}

}  // namespace heron::inline v0
