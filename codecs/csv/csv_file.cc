#include "csv/csv_file.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

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

// Fields of a record as a candidate for the separator divides it.
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
  // Two lines or more that are not blank, of as many fields, at least two.
  bool agrees() const {
    uint64_t lines = 0, width = 0;
    for (uint64_t i = 0; i < tokens.size(); ++i) {
      if (is_blank(i)) continue;
      if (lines++ == 0) width = fields(i);
      if (width < 2 || fields(i) != width || !is_clean(i)) return false;
    }
    return lines >= 2;
  }
  // Whether quotes stand only where they may: around whole fields. Of others it is likely that a
  // separator within quotes was taken for one.
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
    tokens.find(copy.data(), head.size(), false, separator);
    return tokens.fault() == nullptr && Divided{copy.data(), tokens}.agrees();
  });
}

char find_separator(const ByteSource& source, const Context& context) {
  constexpr uint64_t kMostBytes = uint64_t{256} << 10;
  const uint64_t start = byte_order_mark(source, context);
  const uint64_t bytes = std::min(kMostBytes, source.size() - start);
  std::vector<char> head(bytes + Tokens::kSlack);
  source.read(start, std::as_writable_bytes(std::span(head)).first(bytes), context);

  char best = ',';
  std::tuple<bool, uint64_t, uint64_t> most;  // the first line is clean, lines that agree, fields
  Tokens tokens;
  for (const char separator : kSeparators) {
    tokens.find(head.data(), bytes, start + bytes == source.size(), separator);
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

CsvFile open_csv(std::shared_ptr<const ByteSource> source, char separator, bool header,
                 bool check_utf8, const Context& context) {
  CsvFile file;
  file.source = std::move(source);
  file.rows_offset = byte_order_mark(*file.source, context);
  RecordReader reader(file.source, file.rows_offset, separator, 0, context);
  Records records;
  if (!reader.next(records)) {
    fail(ErrorKind::Corrupt, file.source->name(), "expected ",
         header ? "a line with the columns' names" : "a row", ", got no line that is not blank");
  }
  if (check_utf8) reader.check_utf8(records);
  file.columns = reader.columns();
  file.names.resize(file.columns);
  if (header) {
    for (uint64_t i = 0; i < file.columns; ++i) {
      const std::string_view name = records.field(0, i);
      file.names[i] = unquoted(name);
      file.has_plain_names |= !name.empty() && !name.starts_with('"');
    }
    file.rows_offset = reader.offset_of(records.start(1));
  }
  return file;
}

}  // namespace heron::inline v0::csv
