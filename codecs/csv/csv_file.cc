#include "csv/csv_file.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "base/fail.h"
#include "csv/field.h"
#include "csv/record_reader.h"

namespace heron::inline v0::csv {
namespace {

constexpr std::array kSeparators{',', ';', '\t', '|'};
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

uint64_t byte_order_mark(const ByteSource& source, const Context& context) {
  std::array<char, kByteOrderMark.size()> head{};
  const uint64_t bytes = std::min<uint64_t>(head.size(), source.size());
  source.read(0, std::as_writable_bytes(std::span(head)).first(bytes), context);
  return std::string_view(head.data(), bytes) == kByteOrderMark ? bytes : 0;
}

// Returns the offset behind a byte order mark and `lines` lines; the file's size if it has fewer.
uint64_t start_of(const ByteSource& source, uint64_t lines, const Context& context) {
  constexpr uint64_t kPiece = uint64_t{64} << 10;
  uint64_t at = byte_order_mark(source, context);
  if (lines == 0) return at;
  std::vector<char> piece(std::min(kPiece, source.size() - at));
  bool after_return = false;  // an LF now belongs to the line before
  while (at < source.size() && (lines != 0 || after_return)) {
    context.check_cancelled();
    const uint64_t bytes = std::min<uint64_t>(piece.size(), source.size() - at);
    source.read(at, std::as_writable_bytes(std::span(piece)).first(bytes), context);
    uint64_t i = 0;
    for (; i < bytes; ++i) {
      const bool is_second = after_return && piece[i] == '\n';
      if (lines == 0 && !is_second) return at + i;
      after_return = piece[i] == '\r';
      lines -= after_return || (piece[i] == '\n' && !is_second);
    }
    at += bytes;
  }
  return at;
}

// The fields into which a candidate separator divides each record.
struct Divided {
  const char* data;
  const Tokens& tokens;

  uint64_t fields(uint64_t record) const {
    return tokens.records()[record + 1].first_end - tokens.records()[record].first_end;
  }
  bool is_blank(uint64_t record) const {
    const Record& at = tokens.records()[record];
    return tokens.ends()[at.first_end] == at.start;
  }
  // Returns whether at least two lines are not blank, and all of these have the same number of
  // fields, at least two.
  bool agrees() const {
    uint64_t lines = 0, width = 0;
    for (uint64_t i = 0; i < tokens.size(); ++i) {
      if (is_blank(i)) continue;
      if (lines++ == 0) width = fields(i);
      if (width < 2 || fields(i) != width || !is_clean(i)) return false;
    }
    return lines >= 2;
  }
  // Returns whether all quotes are around whole fields. Otherwise a separator inside quotes was
  // probably mistaken for one between fields.
  bool is_clean(uint64_t record) const {
    const Records all(data, tokens.records(), tokens.size(), tokens.ends());
    for (uint64_t i = 0; i < fields(record); ++i) {
      const std::string_view field = all.field(record, i);
      if (!field.starts_with('"') && field.find('"') != std::string_view::npos) return false;
    }
    return true;
  }
};

}  // namespace

bool has_records(std::string_view head) {
  const size_t start = head.find_first_not_of(" \t\r\n");
  if (start == head.npos || std::string_view("{[<").find(head[start]) != head.npos) return false;
  std::string copy(head);
  copy.resize(head.size() + Tokens::kSlack);
  Tokens tokens;
  return std::ranges::any_of(kSeparators, [&](char separator) {
    tokens.find(copy.data(), head.size(), false, {.separator = separator});
    return tokens.fault() == nullptr && Divided{copy.data(), tokens}.agrees();
  });
}

namespace {

void check_marks(const CsvOptions& options) {
  constexpr std::string_view kNoMarks = "\"\n\r";
  const auto check = [&](char mark, std::string_view what) {
    if (mark != 0 && kNoMarks.find(mark) != kNoMarks.npos)
      fail(ErrorKind::Argument, {}, "a quote or a line's end cannot ", what);
  };
  check(options.separator, "separate fields");
  check(options.comment, "begin a comment");
  if (options.decimal != '.' && options.decimal != ',') {
    fail(ErrorKind::Argument, {}, "the decimal mark is a point or a comma, not \"", options.decimal,
         '"');
  }
  if (options.separator != 0 &&
      (options.separator == options.decimal || options.separator == options.comment)) {
    fail(ErrorKind::Argument, {}, "\"", options.separator, "\" cannot separate fields and be the ",
         options.separator == options.decimal ? "decimal mark" : "beginning of a comment", " too");
  }
}

char find_separator(const ByteSource& source, const CsvOptions& options, Syntax syntax,
                    const Context& context) {
  constexpr uint64_t kMaxBytes = uint64_t{256} << 10;
  const uint64_t start = start_of(source, options.skip_rows, context);
  const uint64_t bytes = std::min(kMaxBytes, source.size() - start);
  std::vector<char> head(bytes + Tokens::kSlack);
  source.read(start, std::as_writable_bytes(std::span(head)).first(bytes), context);

  char best = options.decimal == ',' ? ';' : ',';
  // The rank of the best separator: whether the first line is clean, the number of lines with as
  // many fields as the first, and the number of these fields.
  std::tuple<bool, uint64_t, uint64_t> most;
  Tokens tokens;
  for (const char separator : kSeparators) {
    if (separator == options.decimal || separator == options.comment) continue;
    syntax.separator = separator;
    tokens.find(head.data(), bytes, start + bytes == source.size(), syntax);
    const Divided divided{head.data(), tokens};
    uint64_t first = 0;
    while (first < tokens.size() && divided.is_blank(first)) ++first;
    if (first == tokens.size() || divided.fields(first) < 2) continue;
    const uint64_t fields = divided.fields(first);
    uint64_t agreeing = 0;
    for (uint64_t i = first; i < tokens.size(); ++i) agreeing += divided.fields(i) == fields;
    if (const std::tuple found(divided.is_clean(first), agreeing, fields); found > most) {
      most = found;
      best = separator;
    }
  }
  return best;
}

}  // namespace

RecordRules record_rules(const ByteSource& source, const CsvOptions& options,
                         const Context& context) {
  check_marks(options);
  Syntax syntax{options.separator, options.comment, options.trim};
  if (syntax.separator == 0) syntax.separator = find_separator(source, options, syntax, context);
  return {syntax, options.ragged == CsvRagged::Null};
}

CsvFile open_csv(std::shared_ptr<const ByteSource> source, const RecordRules& rules,
                 const CsvOptions& options, const Context& context) {
  CsvFile file;
  file.source = std::move(source);
  file.rows_offset = start_of(*file.source, options.skip_rows, context);
  RecordReader reader(file.source, file.rows_offset, rules, 0, context);
  Records records;
  if (!reader.next(records)) {
    fail(ErrorKind::Corrupt, file.source->name(), "expected ",
         options.header ? "a line with the columns' names" : "a row",
         ", got no line that is not blank");
  }
  if (options.encoding != CsvEncoding::Bytes) reader.check_utf8(records);
  file.names.resize(reader.columns());
  if (!options.header) return file;
  const FieldRules fields(options);
  for (uint64_t i = 0; i < file.names.size(); ++i) {
    const std::string_view name = fields.trimmed(records.field(0, i));
    file.names[i] = unquoted(name);
    file.has_plain_names |= !name.empty() && !name.starts_with('"');
  }
  file.rows_offset = reader.offset_of(records.start(1));
  return file;
}

}  // namespace heron::inline v0::csv
