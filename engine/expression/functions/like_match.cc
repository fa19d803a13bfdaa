// A pattern is runs separated by %. The first run is matched at the beginning of the text, the last
// at its end, and each other run at the first position left: if any position works, the first works
// too, so only the position of one run is ever searched again.
#include "expression/functions/like_match.h"

#include <cstring>

#include "base/utf8.h"

namespace heron::inline v0 {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

// Returns the bytes of the character at `at`, or 1 if it is not UTF-8.
size_t character_bytes(std::string_view text, size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return 1;
  const CodePoint next = decode_utf8(text, at);
  return next.valid ? next.bytes : 1;
}

bool is_text(const LikePattern::Piece& piece) {
  return piece.kind == LikePattern::Piece::Kind::Text;
}

bool has_text_at(std::string_view text, size_t at, std::string_view part) {
  if (text.size() - at < part.size()) return false;
  if (part.size() == 1) return text[at] == part.front();
  return std::memcmp(text.data() + at, part.data(), part.size()) == 0;
}

// Returns the end of a run that begins at `at`, or kNowhere if it does not match.
size_t end_of(const std::vector<LikePattern::Piece>& run, std::string_view text, size_t at) {
  for (const LikePattern::Piece& piece : run) {
    if (is_text(piece)) {
      if (!has_text_at(text, at, piece.text)) return kNowhere;
      at += piece.text.size();
    } else {
      if (at == text.size()) return kNowhere;
      at += character_bytes(text, at);
    }
  }
  return at;
}

// Returns the first position from `at` on where the run may begin, or kNowhere. A byte that begins
// a character is never inside of one.
size_t next_begin(const std::vector<LikePattern::Piece>& run, std::string_view text, size_t at) {
  if (!is_text(run.front()) || continues_utf8(run.front().text.front())) return at;
  if (at == text.size()) return kNowhere;
  return text.find(run.front().text.front(), at);
}

}  // namespace

LikeMatch::LikeMatch(const LikePattern& pattern) : runs_(1) {
  using Kind = LikePattern::Piece::Kind;
  for (const LikePattern::Piece& piece : pattern.pieces) {
    if (piece.kind == Kind::Any) {
      // Adjacent % count as one.
      if (runs_.size() == 1 || !runs_.back().empty()) runs_.emplace_back();
      continue;
    }
    least_bytes_ += is_text(piece) ? piece.text.size() : 1;
    const bool goes_on = is_text(piece) && !runs_.back().empty() && is_text(runs_.back().back());
    if (goes_on)
      runs_.back().back().text += piece.text;
    else
      runs_.back().push_back(piece);
  }
}

std::string_view LikeMatch::beginning() const noexcept {
  const Run& run = runs_.front();
  return !run.empty() && is_text(run.front()) ? std::string_view(run.front().text)
                                              : std::string_view();
}

std::string_view LikeMatch::ending() const noexcept {
  const Run& run = runs_.back();
  return !run.empty() && is_text(run.back()) ? std::string_view(run.back().text)
                                             : std::string_view();
}

std::string_view LikeMatch::contained() const noexcept {
  std::string_view longest;
  for (const Run& run : runs_) {
    for (const LikePattern::Piece& piece : run) {
      if (piece.text.size() > longest.size()) longest = piece.text;
    }
  }
  return longest;
}

bool LikeMatch::is_contained_enough() const noexcept {
  return runs_.size() == 3 && runs_.front().empty() && runs_.back().empty() &&
         runs_[1].size() == 1 && is_text(runs_[1].front());
}

bool LikeMatch::operator()(std::string_view text) const {
  if (text.size() < least_bytes_) return false;
  size_t at = end_of(runs_.front(), text, 0);
  if (at == kNowhere) return false;
  if (runs_.size() == 1) return at == text.size();
  const Run& last = runs_.back();
  for (size_t i = 1; i < runs_.size(); ++i) {
    const bool is_last = i + 1 == runs_.size();
    if (is_last && last.empty()) return true;
    if (is_last && last.size() == 1 && is_text(last.front())) {
      return text.size() - at >= last.front().text.size() && text.ends_with(last.front().text);
    }
    for (;; at += character_bytes(text, at)) {
      at = next_begin(runs_[i], text, at);
      if (at == kNowhere) return false;
      const size_t end = end_of(runs_[i], text, at);
      if (end != kNowhere && (!is_last || end == text.size())) {
        at = end;
        break;
      }
      if (at == text.size()) return false;
    }
  }
  return true;
}

}  // namespace heron::inline v0
