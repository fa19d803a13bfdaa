// A pattern is runs separated by %. The first run is matched at the beginning of the text, the last
// at its end, and each other run at the first position left: if any position works, the first works
// too, so only the position of one run is ever searched again.
#include "filter/like_match.h"

#include <cstring>

#include "base/utf8.h"

namespace heron::inline v0 {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

// The bytes of the character at `at`, or 1 if it is not UTF-8.
size_t character_bytes(std::string_view text, size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return 1;
  const CodePoint next = decode_utf8(text, at);
  return next.valid ? next.bytes : 1;
}

// The end of a run that begins at `at`, or kNowhere if it does not match.
size_t end_of(const std::vector<LikePattern::Piece>& run, std::string_view text, size_t at) {
  for (const LikePattern::Piece& piece : run) {
    if (piece.kind == LikePattern::Piece::Kind::Text) {
      if (text.size() - at < piece.text.size()) return kNowhere;
      if (std::memcmp(text.data() + at, piece.text.data(), piece.text.size()) != 0) return kNowhere;
      at += piece.text.size();
    } else {
      if (at == text.size()) return kNowhere;
      at += character_bytes(text, at);
    }
  }
  return at;
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
    least_bytes_ += piece.kind == Kind::Text ? piece.text.size() : 1;
    only_texts_ &= piece.kind == Kind::Text;
    const bool goes_on =
        piece.kind == Kind::Text && !runs_.back().empty() && runs_.back().back().kind == Kind::Text;
    if (goes_on)
      runs_.back().back().text += piece.text;
    else
      runs_.back().push_back(piece);
  }
}

bool LikeMatch::matches_texts(std::string_view text) const {
  const auto text_of = [](const Run& run) {
    return run.empty() ? std::string_view() : std::string_view(run.front().text);
  };
  const std::string_view first = text_of(runs_.front()), last = text_of(runs_.back());
  if (runs_.size() == 1) return text == first;
  // The check of least_bytes_ ensures that the two do not overlap.
  if (!text.starts_with(first) || !text.ends_with(last)) return false;
  text = text.substr(first.size(), text.size() - first.size() - last.size());
  for (size_t i = 1; i + 1 < runs_.size(); ++i) {
    const std::string_view wanted = text_of(runs_[i]);
    const void* found = memmem(text.data(), text.size(), wanted.data(), wanted.size());
    if (found == nullptr) return false;
    const auto at = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    text.remove_prefix(at + wanted.size());
  }
  return true;
}

bool LikeMatch::matches_runs(std::string_view text) const {
  size_t at = end_of(runs_.front(), text, 0);
  if (at == kNowhere) return false;
  if (runs_.size() == 1) return at == text.size();
  for (size_t i = 1; i < runs_.size(); ++i) {
    const bool is_last = i + 1 == runs_.size();
    if (is_last && runs_[i].empty()) return true;
    for (;;) {
      const size_t end = end_of(runs_[i], text, at);
      if (end != kNowhere && (!is_last || end == text.size())) {
        at = end;
        break;
      }
      if (at == text.size()) return false;
      at += character_bytes(text, at);
    }
  }
  return true;
}

}  // namespace heron::inline v0
