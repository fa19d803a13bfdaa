// Reads 64 bytes at a time. Without quotes, the bits of separators and line ends are the result. If
// quotes are around whole fields, as usual, the bits inside quotes are cleared. Other quotes, and
// comments, are walked one by one.
#include "csv/tokenizer.h"

#include <algorithm>
#include <bit>

#include "base/cpu.h"
#include "csv/byte_masks.h"
#include "csv/field.h"

namespace heron::inline v0::csv {
namespace {

constexpr uint64_t kBlock = 64;

constexpr uint64_t lowest(uint64_t bits) {
  return bits & (~bits + 1);
}

// Returns the index behind a line end. No LF follows a CR at the data's end: find() ensures that.
HERON_INLINE uint32_t behind_line(const char* data, uint32_t end) {
  return end + 1 + (data[end] == '\r' && data[end + 1] == '\n');
}

// Bit i says whether an odd number of the bits 0 .. i is set.
constexpr uint64_t odd_up_to(uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace

HERON_INLINE void Tokens::make_room() {
  if (ends_.size() - fields_ < kBlock + 1) ends_.resize(2 * ends_.size() + kBlock + 1);
  if (records_.size() - size_ < kBlock + 2) records_.resize(2 * records_.size());
}

// Adds a record after its last field.
HERON_INLINE void Tokens::end_record(const char* data, uint32_t end) {
  records_[++size_] = {behind_line(data, end), fields_};
}

// Checks whether the line at the next record's start is a comment. `bytes` of the data are in
// memory.
HERON_INLINE void Tokens::begin_record(const char* data, uint64_t bytes) noexcept {
  const uint32_t start = records_[size_].start;
  if (syntax_.comment != 0 && start < bytes && data[start] == syntax_.comment)
    state_ = State::Comment;
}

// Returns whether these bytes may precede an opening quote or follow a closing one.
bool Tokens::may_follow(const char* data, uint64_t from, uint64_t to) const noexcept {
  return from == to ||
         (syntax_.trim && std::all_of(data + from, data + to, [](char c) { return is_blank(c); }));
}

HERON_INLINE void Tokens::add_plain(const char* data, uint32_t at, uint64_t ends,
                                    uint64_t line_ends) {
  const uint32_t before = fields_;
  uint32_t* next = ends_.data() + before;
  uint64_t rest = ends;
  do {  // most blocks have at most 8 ends
    for (unsigned i = 0; i < 8; ++i) {
      next[i] = at + static_cast<uint32_t>(std::countr_zero(rest));
      rest &= rest - 1;
    }
    next += 8;
  } while (rest != 0);
  for (; line_ends != 0; line_ends &= line_ends - 1) {
    const uint64_t until = lowest(line_ends) | (lowest(line_ends) - 1);
    fields_ = before + static_cast<uint32_t>(std::popcount(ends & until));
    end_record(data, ends_[fields_ - 1]);
  }
  fields_ = before + static_cast<uint32_t>(std::popcount(ends));
}

// Returns false and does nothing unless every quote opens a field, closes it or is one of a pair
// inside quotes. `breaks` has bits for separators and for all characters of line ends.
HERON_INLINE bool Tokens::add_well_quoted(const char* data, uint32_t at, uint64_t quotes,
                                          uint64_t breaks, uint64_t ends, uint64_t line_ends) {
  constexpr uint64_t kLast = uint64_t{1} << 63;
  if (state_ != State::Plain && state_ != State::Quoted) return false;
  const bool begins_inside = state_ == State::Quoted;
  const uint64_t inside = odd_up_to(quotes) ^ (begins_inside ? UINT64_MAX : 0);
  const uint64_t opening = quotes & inside, closing = quotes & ~inside;
  const uint64_t outside = breaks & ~inside;
  const uint64_t may_open = (outside | closing) << 1 | uint64_t{field_start() == at};
  const uint64_t may_close = (outside | opening) >> 1 | kLast;  // the next block checks the last
  if (((opening & ~may_open) | (closing & ~may_close)) != 0) return false;
  add_plain(data, at, ends & ~inside, line_ends & ~inside);
  state_ = (inside & kLast) != 0 ? State::Quoted : State::Plain;
  if ((closing & kLast) != 0) {
    state_ = State::Closed;
    closed_at_ = at + 63;
  }
  return true;
}

bool Tokens::add_quoted(const char* data, uint32_t at, uint64_t quotes, uint64_t ends,
                        uint64_t line_ends) {
  for (uint64_t bits = quotes | ends; bits != 0; bits &= bits - 1) {
    const uint32_t position = at + static_cast<uint32_t>(std::countr_zero(bits));
    const bool is_quote = (lowest(bits) & quotes) != 0;
    const bool is_line_end = (lowest(bits) & line_ends) != 0;
    if (state_ == State::Comment) {
      if (!is_line_end) continue;
      state_ = State::Plain;
      records_[size_].start = behind_line(data, position);
      begin_record(data, bytes_);
    } else if (state_ == State::Quoted) {
      if (!is_quote) continue;
      state_ = State::Closed;
      closed_at_ = position;
    } else if (state_ == State::Closed && !may_follow(data, closed_at_ + 1, position)) {
      return fail_at(closed_at_ + 1, "characters after a closing quote");
    } else if (is_quote) {
      if (state_ == State::Closed && position != closed_at_ + 1) {
        return fail_at(position, "characters after a closing quote");
      }
      if (state_ == State::Closed || may_follow(data, field_start(), position))
        state_ = State::Quoted;
    } else {
      state_ = State::Plain;
      ends_[fields_++] = position;
      if (!is_line_end) continue;
      end_record(data, position);
      begin_record(data, bytes_);
    }
  }
  return true;
}

bool Tokens::fail_at(uint64_t at, const char* why) noexcept {
  fault_ = why;
  fault_at_ = at;
  return false;
}

void Tokens::finish(const char* data, uint32_t bytes) {
  Record& open = records_[size_];
  if (state_ == State::Comment) {
    open.start = bytes;
  } else if (state_ == State::Quoted) {
    fail_at(field_start(), "a quote that does not close");
  } else if (state_ == State::Closed && !may_follow(data, closed_at_ + 1, bytes)) {
    fail_at(closed_at_ + 1, "characters after a closing quote");
  } else if (open.start < bytes || fields_ != open.first_end) {
    make_room();
    ends_[fields_++] = bytes;
    records_[++size_] = {bytes, fields_};
  }
}

template <class Finder>
struct Tokens::Find {
  // Returns false at a fault.
  HERON_INLINE static bool run(Tokens* tokens, const char* data) {
    const Finder finder(tokens->syntax_.separator);
    const uint64_t bytes = tokens->bytes_;
    const bool has_comments = tokens->syntax_.comment != 0;
    uint64_t after_return = 0;
    for (uint64_t at = 0; at < bytes && !tokens->is_enough(); at += kBlock) {
      const ByteMasks masks = finder.find(data + at);
      const uint64_t inside = bytes - at < kBlock ? (uint64_t{1} << (bytes - at)) - 1 : UINT64_MAX;
      const uint64_t quotes = masks.quotes & inside;
      const uint64_t line_feeds = masks.line_feeds & ~(masks.returns << 1 | after_return);
      const uint64_t line_ends = (line_feeds | masks.returns) & inside;
      const uint64_t ends = line_ends | (masks.separators & inside);
      after_return = masks.returns >> 63;
      tokens->make_room();
      const auto start = static_cast<uint32_t>(at);
      if (tokens->fields_ - tokens->records_[tokens->size_].first_end > kMaxFields) {
        return tokens->fail_at(at, "a record of more than a million fields");
      }
      if (quotes == 0 && tokens->state_ == State::Plain && !has_comments) {
        tokens->add_plain(data, start, ends, line_ends);
        continue;
      }
      const uint64_t breaks = (masks.separators | masks.line_feeds | masks.returns) & inside;
      const bool is_added =
          !has_comments && tokens->add_well_quoted(data, start, quotes, breaks, ends, line_ends);
      if (!is_added && !tokens->add_quoted(data, start, quotes, ends, line_ends)) return false;
    }
    return true;
  }
};

void Tokens::find(const char* data, uint64_t bytes, bool at_end, const Syntax& syntax) {
  // It is not known yet whether an LF follows.
  if (!at_end && bytes != 0 && data[bytes - 1] == '\r') --bytes;
  syntax_ = syntax;
  bytes_ = bytes;
  fields_ = size_ = 0;
  records_[0] = {0, 0};
  state_ = State::Plain;
  fault_ = nullptr;
  begin_record(data, bytes);
  bool whole = false;
#if defined(HERON_X86_64_V3)
  if (has_x86_64_v3())
    whole = run_x86_64_v3<Find<Avx2Finder>>(this, data);
  else
#endif
    whole = Find<PlainFinder>::run(this, data);
  if (whole && at_end && !is_enough()) finish(data, static_cast<uint32_t>(bytes));
}

}  // namespace heron::inline v0::csv
