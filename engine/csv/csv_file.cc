#include "csv/csv_file.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "csv/field.h"
#include "csv/record_reader.h"

namespace heron::inline v0::csv {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

uint64_t byte_order_mark(const ByteSource& source, const Context& context) {
  std::array<char, kByteOrderMark.size()> head{};
  const uint64_t bytes = std::min<uint64_t>(head.size(), source.size());
  source.read(0, std::as_writable_bytes(std::span(head)).first(bytes), context);
  return std::string_view(head.data(), bytes) == kByteOrderMark ? bytes : 0;
}

}  // namespace

char find_separator(const ByteSource& source, const Context& context) {
  constexpr uint64_t kMostBytes = uint64_t{256} << 10;
  const uint64_t start = byte_order_mark(source, context);
  const uint64_t bytes = std::min(kMostBytes, source.size() - start);
  std::vector<char> head(bytes + Tokens::kSlack);
  source.read(start, std::as_writable_bytes(std::span(head)).first(bytes), context);

  char best = ',';
  std::tuple<uint64_t, uint64_t> most;  // lines that agree, fields
  Tokens tokens;
  for (const char separator : {',', ';', '\t', '|'}) {
    tokens.find(head.data(), bytes, start + bytes == source.size(), separator);
    const std::span records(tokens.records(), tokens.size() + 1);
    const auto fields = [&](uint64_t i) { return records[i + 1].first_end - records[i].first_end; };
    uint64_t first = 0;
    while (first < tokens.size() && tokens.ends()[records[first].first_end] == records[first].start)
      ++first;
    if (first == tokens.size() || fields(first) < 2) continue;
    uint64_t agreeing = 0;
    for (uint64_t i = first; i < tokens.size(); ++i) agreeing += fields(i) == fields(first);
    if (const std::tuple found(agreeing, uint64_t{fields(first)}); found > most) {
      most = found;
      best = separator;
    }
  }
  return best;
}

CsvFile open_csv(const std::string& path, char separator, bool header, const Context& context) {
  CsvFile file;
  file.source = open_file(path, false);
  file.rows_offset = byte_order_mark(*file.source, context);
  RecordReader reader(file.source, file.rows_offset, separator, 0, context);
  Records records;
  if (!reader.next(records)) {
    fail(ErrorKind::Corrupt, path, "expected ", header ? "a line with the columns' names" : "a row",
         ", got no line that is not blank");
  }
  file.columns = reader.columns();
  file.names.resize(file.columns);
  if (header) {
    for (uint64_t i = 0; i < file.columns; ++i) file.names[i] = unquoted(records.field(0, i));
    file.rows_offset = reader.offset_of(records.start(1));
  }
  return file;
}

}  // namespace heron::inline v0::csv
