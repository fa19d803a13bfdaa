#include "expression/functions/regex.h"

#include <execinfo.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <new>

#include "base/utf8.h"
#include "expression/functions/like_match.h"

namespace heron::inline v0 {
namespace {

re2::StringPiece piece_of(std::string_view text) {
  // Keeps the text's pointer from being null: a match at a null pointer would look like no match.
  return text.data() == nullptr ? re2::StringPiece("", 0)
                                : re2::StringPiece(text.data(), text.size());
}

re2::RE2::Options options_of(const RegexOptions& options) {
  re2::RE2::Options made;
  made.set_case_sensitive(!options.ignore_case);
  made.set_dot_nl(options.point_is_newline);
  made.set_literal(options.literal);
  made.set_log_errors(false);
  made.set_max_mem(Regex::kMaxBytes);
  return made;
}

// Returns the bytes of the character at the beginning of a text, 1 if it is not UTF-8.
size_t leading_character_bytes(std::string_view text) {
  const CodePoint next = decode_utf8(text, 0);
  return next.valid ? next.bytes : 1;
}

// Loads the library that glibc needs to let an exception pass pthread_once(), in which RE2
// allocates: loaded only then, without memory, glibc ends the process.
void load_unwinder() {
  void* frame = nullptr;
  if (::backtrace(&frame, 1) == 0) throw std::bad_alloc();
}

}  // namespace

struct Regex::Compiled {
  Compiled(std::string_view pattern, const RegexOptions& given, bool is_whole)
      : re(piece_of(pattern), options_of(given)),
        options(given),
        whole(is_whole),
        like(like_of_regex(pattern, given, is_whole)),
        like_match(like.pattern),
        is_like_useful(like.pattern.pieces.size() != 1 ||
                       like.pattern.pieces.front().kind != LikePattern::Piece::Kind::Any) {}

  const re2::RE2 re;
  const RegexOptions options;
  const bool whole;
  const LikeOfRegex like;
  const LikeMatch like_match;
  const bool is_like_useful;
};

Regex::Regex(std::string_view pattern, const RegexOptions& options, bool whole,
             const SourceText& source, uint64_t offset) {
  load_unwinder();
  compiled_ = std::make_unique<const Compiled>(pattern, options, whole);
  const re2::RE2& re = compiled_->re;
  if (!re.ok()) {
    source.fail_at(ErrorKind::Argument, offset, "expected a regular expression: ", re.error());
  }
}

Regex::~Regex() = default;

bool Regex::operator()(std::string_view text) const {
  if (compiled_->is_like_useful) {
    const std::string_view ending = compiled_->like_match.ending();
    if (!text.ends_with(ending) || !compiled_->like_match(text)) return false;
  }
  return decide(text);
}

bool Regex::decide(std::string_view text) const {
  using Exact = LikeOfRegex::Exact;
  const Exact exact = compiled_->like.exact;
  if (exact == Exact::Always) return true;
  if (exact == Exact::Lines && is_ascii(text) && text.find('\n') == std::string_view::npos)
    return true;
  const auto anchor = compiled_->whole ? re2::RE2::ANCHOR_BOTH : re2::RE2::UNANCHORED;
  return compiled_->re.Match(piece_of(text), 0, text.size(), anchor, nullptr, 0);
}

std::string_view Regex::group(std::string_view text, uint64_t group) const {
  std::array<re2::StringPiece, kMaxGroups + 1> groups;
  const int group_count = static_cast<int>(group) + 1;
  if (compiled_->is_like_useful && !compiled_->like_match(text)) return text.substr(0, 0);
  if (!compiled_->re.Match(piece_of(text), 0, text.size(), re2::RE2::UNANCHORED, groups.data(),
                           group_count)) {
    return text.substr(0, 0);
  }
  const re2::StringPiece& found = groups[group];
  return found.data() == nullptr ? text.substr(0, 0) : std::string_view(found.data(), found.size());
}

uint64_t Regex::groups() const noexcept {
  return static_cast<uint64_t>(compiled_->re.NumberOfCapturingGroups());
}

// An empty match where the last one ended is none: "b*" in "abc" is replaced at 0, at "b" and at 3.
void Regex::replace(std::string_view text, std::string_view replacement, uint64_t most_bytes,
                    std::string& to) const {
  const re2::StringPiece rewrite = piece_of(replacement);
  std::array<re2::StringPiece, kMaxGroups + 1> groups;
  const int count = 1 + re2::RE2::MaxSubmatch(rewrite);
  const re2::StringPiece all = piece_of(text);
  size_t at = 0, last_end = std::string_view::npos;
  const auto copy = [&](size_t end) {
    to.append(all.data() + at, end - at);
    at = end;
  };
  const auto is_found = [&] {
    return compiled_->re.Match(all, at, all.size(), re2::RE2::UNANCHORED, groups.data(), count);
  };
  while (to.size() <= most_bytes && at <= all.size() && is_found()) {
    const auto begin = static_cast<size_t>(groups[0].data() - all.data());
    const size_t end = begin + groups[0].size();
    copy(begin);
    if (end == begin && end == last_end) {
      if (at == all.size()) break;
      copy(at + leading_character_bytes(text.substr(at)));
      continue;
    }
    compiled_->re.Rewrite(&to, rewrite, groups.data(), count);
    at = last_end = end;
    if (!compiled_->options.all) break;
  }
  copy(all.size());
}

std::string Regex::fault_of(std::string_view replacement) const {
  std::string error;
  return compiled_->re.CheckRewriteString(piece_of(replacement), &error) ? std::string() : error;
}

const LikeOfRegex& Regex::like() const noexcept {
  return compiled_->like;
}

}  // namespace heron::inline v0
