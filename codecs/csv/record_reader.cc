#include "csv/record_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"
#include "csv/encoding.h"
#include "csv/field.h"

namespace heron::inline v0::csv {

RecordReader::RecordReader(std::shared_ptr<const ByteSource> source, uint64_t offset,
                           const RecordRules& rules, uint64_t columns, const Context& context)
    : source_(std::move(source)),
      rules_(rules),
      columns_(columns),
      context_(context),
      offset_(offset) {}

bool RecordReader::next(Records& records) {
  uint64_t left = 0;
  do {
    if (!find_records()) return false;
    const char* found = data_ + (done_ - tokens_.bytes());
    left = check_records(tokens_, columns_, rules_, found, position());
  } while (left == 0);  // blank lines
  records = Records(data_ + (done_ - tokens_.bytes()), tokens_.records(), left, tokens_.ends());
  return true;
}

// Reads more if few bytes are left, twice as many each time until memory holds a whole record.
// Returns false at the end.
bool RecordReader::find_records() {
  for (uint64_t target = kPiece;; target *= 2) {
    context_.check_cancelled();
    if (bytes_ - done_ <= target / 2) fill(target);
    const bool at_end = offset_ + bytes_ == source_->size();
    tokens_.find(data_ + done_, bytes_ - done_, at_end, rules_.syntax);
    if (tokens_.fault() != nullptr)
      position().fail_line(offset() + tokens_.fault_at(), concat(": ", tokens_.fault()));
    done_ += tokens_.bytes();  // skips comments, if there are no records
    if (tokens_.size() != 0) return true;
    if (at_end) return false;
    if (bytes_ - done_ > kMaxRecordBytes) {
      fail(ErrorKind::Limit, source_->name(), "line ", line_of(*source_, offset(), context_),
           ": a record of more than ", kMaxRecordBytes,
           " bytes; is there a quote that does not close?");
    }
  }
}

// Moves the bytes not yet returned to the front, and reads until memory holds `target` bytes or the
// rest of the file.
void RecordReader::fill(uint64_t target) {
  const uint64_t left = bytes_ - done_;
  offset_ += done_;
  target = std::min(target, source_->size() - offset_);
  if (target > capacity_ || data_ == nullptr) {
    auto memory = std::make_unique<Arena>(context_.memory);
    char* data = reinterpret_cast<char*>(memory->allocate(target + Tokens::kSlack));
    if (left != 0) std::memcpy(data, data_ + done_, left);
    memory_ = std::move(memory);
    data_ = data;
    capacity_ = target;
  } else if (left != 0) {
    std::memmove(data_, data_ + done_, left);
  }
  done_ = 0;
  bytes_ = left;
  if (target > left) {
    source_->read(offset_ + left, {reinterpret_cast<std::byte*>(data_) + left, target - left},
                  context_);
    bytes_ = target;
  }
  std::memset(data_ + bytes_, 0, Tokens::kSlack);
}

uint64_t check_records(Tokens& tokens, uint64_t& columns, const RecordRules& rules,
                       const char* data, const TextPosition& position) {
  const bool ragged = rules.ragged;
  Record* records = tokens.records();
  const uint32_t* ends = tokens.ends();
  std::vector<uint32_t> even;  // if ragged: field ends, `columns` per record
  uint64_t left = 0;
  for (uint64_t i = 0; i < tokens.size(); ++i) {
    Record record = records[i];
    const uint64_t fields = records[i + 1].first_end - record.first_end;
    const uint32_t* own = ends + record.first_end;
    if (fields != columns) {
      const std::string_view first(data + record.start, *own - record.start);
      const bool is_blank = (rules.syntax.trim ? without_blanks(first) : first).empty();
      if (fields == 1 && is_blank) continue;
      if (columns == 0) columns = fields;
      const auto is_empty = [&](uint64_t field) { return own[field] == own[field - 1] + 1; };
      uint64_t used = fields;
      while (ragged && used > columns && is_empty(used - 1)) --used;
      if (ragged ? used > columns : used != columns) {
        position.fail_at({data + record.start, 0}, ": expected ", ragged ? "at most " : "", columns,
                         " fields, got ", used);
      }
    }
    if (ragged) {
      record.first_end = static_cast<uint32_t>(even.size());
      even.insert(even.end(), own, own + std::min(fields, columns));
      even.resize(record.first_end + columns, even.back());
    }
    records[left++] = record;
  }
  records[left] = records[tokens.size()];
  if (ragged) {
    records[left].first_end = static_cast<uint32_t>(even.size());
    tokens.replace_ends(even);
  }
  return left;
}

void TextPosition::fail_line(uint64_t at, const std::string& what, const char* hint) const {
  source.check_unchanged();  // a change of the file would be the cause
  fail_with_hint(ErrorKind::Corrupt, hint, source.name(), "line ", line_of(source, at, context),
                 what);
}

void RecordReader::check_utf8(const Records& records) const {
  const char* const first = records.start(0);
  const std::string_view all(first, static_cast<size_t>(records.start(records.size()) - first));
  const size_t valid = valid_utf8_prefix(all);
  if (valid != all.size()) fail_not_utf8(records, first + valid);
}

void RecordReader::fail_not_utf8(const Records& records, const char* byte) const {
  uint64_t record = 0, column = 0;
  while (records.start(record + 1) <= byte) ++record;
  const auto ends_before = [&](std::string_view field) {
    return field.data() + field.size() < byte;
  };
  while (column + 1 < columns_ && ends_before(records.field(record, column))) ++column;
  std::string_view field = records.field(record, column);
  const TextPosition where = position();
  if (ends_before(field)) where.fail_line(where.offset_of(byte), ": a comment that is not UTF-8");
  constexpr size_t kMaxShown = 20;
  std::string perhaps;
  const auto at = static_cast<size_t>(byte - field.data());
  for (const char c : field.substr(at - std::min(at, kMaxShown), 2 * kMaxShown)) {
    std::array<char, 4> room{};
    const char32_t code = windows_1252(static_cast<unsigned char>(c));
    perhaps.append(room.data(), write_utf8(code, room.data()));
  }
  where.fail_line(
      where.offset_of(byte),
      concat(", column ", column + 1, ": not UTF-8; if it is Latin-1 (\"", shown(perhaps), "\")"),
      ": {csv_encoding=latin1} or windows-1252, or iconv -f latin1 -t utf-8");
}

uint64_t LineNumbers::at(const ByteSource& source, uint64_t offset, const Context& context) {
  constexpr uint64_t kPiece = uint64_t{64} << 10;
  if (offset < offset_) *this = {};
  std::vector<char> piece(std::min(kPiece, offset - offset_));
  while (offset_ < offset) {
    context.check_cancelled();
    const uint64_t bytes = std::min<uint64_t>(piece.size(), offset - offset_);
    source.read(offset_, std::as_writable_bytes(std::span(piece)).first(bytes), context);
    for (uint64_t i = 0; i < bytes; ++i) {
      line_ += piece[i] == '\r' || (piece[i] == '\n' && before_ != '\r');
      before_ = piece[i];
    }
    offset_ += bytes;
  }
  return line_;
}

uint64_t line_of(const ByteSource& source, uint64_t offset, const Context& context) {
  return LineNumbers().at(source, offset, context);
}

}  // namespace heron::inline v0::csv
