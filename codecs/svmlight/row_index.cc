#include "svmlight/row_index.h"

#include <bit>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/fail.h"
#include "base/in_quotes.h"
#include "svmlight/line.h"

namespace heron::inline v0::svmlight {
namespace {

constexpr uint64_t kReadBytes = uint64_t{1} << 20;
constexpr uint64_t kMaxLineBytes = uint64_t{256} << 20;
constexpr uint64_t kBlockBytes = uint64_t{64} << 10;  // blocks of less text are joined

// Counts the colons, eight bytes at a time: a byte of `word` is 0 where the text has one.
uint64_t count_colons(std::string_view text) noexcept {
  constexpr uint64_t kOnes = 0x0101010101010101, kLow = 0x7F * kOnes;
  uint64_t count = 0;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, 8);
    word ^= ':' * kOnes;
    count += static_cast<uint64_t>(std::popcount(~(((word & kLow) + kLow) | word | kLow)));
  }
  for (; at < text.size(); ++at) count += text[at] == ':';
  return count;
}

// Finds facts and blocks, line by line.
class Pass {
 public:
  Pass(const ByteSource& source, const Context& context) : source_(source), context_(context) {}

  void add(std::string_view text, uint64_t offset) {
    const std::optional<Line> line = split(text);
    if (!line) return;
    Facts& facts = index_.facts;
    if (facts.rows % index_.block_rows == 0) begin_block(offset);
    add_label(*line, offset);
    add_query(*line, offset);
    add_pairs(*line, offset);
    facts.has_comments |= !line->comment.empty();
    ++facts.rows;
  }
  uint64_t rows() const noexcept { return index_.facts.rows; }
  RowIndex finish(uint64_t end) {
    index_.end = end;
    while (has_short_blocks(end)) join_pairs();
    return std::move(index_);
  }

 private:
  template <class... Parts>
  [[noreturn]] void corrupt(uint64_t offset, const Parts&... parts) const {
    fail(ErrorKind::Corrupt, source_.name(), line_text(source_, offset, context_), ": ", parts...);
  }

  void begin_block(uint64_t offset) {
    constexpr uint64_t kMaxUnjoinedBlocks = 4096;
    if (index_.offsets.size() >= kMaxUnjoinedBlocks && index_.offsets.size() % 2 == 0 &&
        has_short_blocks(offset)) {
      join_pairs();
    }
    index_.offsets.push_back(index_.offsets.empty() ? 0 : offset);
    index_.pairs.push_back(0);
  }
  bool has_short_blocks(uint64_t end) const noexcept {
    return index_.offsets.size() > 1 && index_.block_rows < RowIndex::kMaxBlockRows &&
           (end - index_.offsets.front()) / index_.offsets.size() < kBlockBytes;
  }
  void join_pairs() {
    const uint64_t blocks = index_.offsets.size();
    for (uint64_t i = 0; i < blocks; i += 2) {
      index_.offsets[i / 2] = index_.offsets[i];
      index_.pairs[i / 2] = index_.pairs[i] + (i + 1 < blocks ? index_.pairs[i + 1] : 0);
    }
    index_.offsets.resize((blocks + 1) / 2);
    index_.pairs.resize((blocks + 1) / 2);
    index_.block_rows *= 2;
  }

  void add_label(const Line& line, uint64_t offset) {
    Facts& facts = index_.facts;
    int64_t whole = 0;
    if (parse(line.label, whole)) {
      facts.min_label = std::min(facts.min_label, whole);
      facts.max_label = std::max(facts.max_label, whole);
      return;
    }
    double label = 0;
    if (!parse(line.label, label)) {
      corrupt(offset, "expected a number as label, got ", in_quotes(line.label));
    }
    facts.has_whole_labels = false;
  }

  void add_query(const Line& line, uint64_t offset) {
    Facts& facts = index_.facts;
    if (facts.rows == 0) facts.has_queries = line.has_query;
    if (facts.has_queries != line.has_query) {
      corrupt(offset,
              line.has_query ? "expected no qid: as in the rows before, got "
                             : "expected a qid: as in the rows before, got ",
              in_quotes(line.has_query ? line.query : line.pairs));
    }
    if (!line.has_query) return;
    int64_t query = 0;
    if (!parse(line.query, query)) {
      corrupt(offset, "expected an integer as qid, got ", in_quotes(line.query));
    }
    facts.groups += facts.rows == 0 || query != query_;
    query_ = query;
  }

  // Indices ascend, which reading a block checks: the first and the last are the extremes. Of a
  // line whose indices descend, both count, so that there is a column that reports it.
  void add_pairs(const Line& line, uint64_t offset) {
    if (line.pairs.empty()) return;
    index_.pairs.back() += count_colons(line.pairs);
    size_t last = line.pairs.size();
    while (last > 0 && !is_blank(line.pairs[last - 1])) --last;
    Facts& facts = index_.facts;
    for (const size_t at : {size_t{0}, last}) {
      const uint32_t index = index_at(line.pairs, at, offset);
      facts.min_index = std::min(facts.min_index, index);
      facts.max_index = std::max(facts.max_index, index);
    }
  }
  uint32_t index_at(std::string_view pairs, size_t at, uint64_t offset) const {
    constexpr size_t kShown = 40;
    uint64_t index = 0;
    const char* const begin = pairs.data() + at;
    const char* const end = pairs.data() + pairs.size();
    const auto [next, error] = std::from_chars(begin, end, index);
    if (next == begin || next == end || *next != ':') {
      corrupt(offset, "expected INDEX:VALUE, got ", in_quotes(pairs.substr(at, kShown)));
    }
    if (error != std::errc() || index > kMaxIndex) {
      corrupt(offset, "expected an index of a feature up to ", kMaxIndex, ", got ",
              in_quotes({begin, next}));
    }
    return static_cast<uint32_t>(index);
  }

  const ByteSource& source_;
  const Context& context_;
  RowIndex index_;
  int64_t query_ = 0;
};

}  // namespace

RowIndex find_rows(const ByteSource& source, uint64_t most_rows, const Context& context) {
  Pass pass(source, context);
  std::vector<char> text;  // the last lines read, and the beginning of one that goes on
  uint64_t text_offset = 0, read = 0;
  bool is_cut = false;
  while (read < source.size() && !is_cut) {
    context.step(read, source.size());
    const uint64_t kept = text.size(), some = std::min(kReadBytes + kept, source.size() - read);
    if (kept > kMaxLineBytes) {
      fail(ErrorKind::Limit, source.name(), line_text(source, text_offset, context),
           ": expected a line of at most ", kMaxLineBytes, " bytes");
    }
    text.resize(kept + some);
    source.read(read, std::as_writable_bytes(std::span(text).subspan(kept)), context);
    read += some;
    const std::string_view all(text.data(), text.size());
    // Only the last line of the file may have no end.
    const size_t whole = read == source.size() ? all.size() : all.rfind('\n') + 1;
    uint64_t end = whole;
    each_line(all.substr(0, whole), [&](std::string_view line, size_t at) {
      if (is_cut) return;
      if (most_rows != 0 && pass.rows() == most_rows) {
        is_cut = true;
        end = at;
        return;
      }
      pass.add(line, text_offset + at);
    });
    text.erase(text.begin(), text.begin() + static_cast<ptrdiff_t>(end));
    text_offset += end;
  }
  RowIndex index = pass.finish(text_offset);
  index.is_cut = is_cut;
  return index;
}

}  // namespace heron::inline v0::svmlight
