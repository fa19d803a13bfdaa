#include "kit/plain_csv.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "base/fail.h"
#include "base/utf8.h"
#include "files/foreign_format.h"
#include "heron/heron.h"
#include "kit/exact_value.h"
#include "kit/interrogate.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

bool is_blank(const PlainRecord& record) {
  return record.size() == 1 && record[0].text.empty() && !record[0].in_quotes;
}

std::vector<PlainRecord> all_records(std::string_view text, char separator, bool& is_damaged) {
  std::vector<PlainRecord> records;
  size_t at = 0;
  while (at < text.size()) {
    PlainRecord record;
    for (bool more = true; more;) {
      PlainField field;
      if (at < text.size() && text[at] == '"') {
        field.in_quotes = true;
        for (++at;; ++at) {
          if (at >= text.size()) {
            is_damaged = true;
            return records;
          }
          if (text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')) break;
          if (text[at] == '"') ++at;
          field.text += text[at];
        }
        ++at;
      } else {
        while (at < text.size() && text[at] != separator && text[at] != '\n' && text[at] != '\r')
          field.text += text[at++];
      }
      record.push_back(std::move(field));
      more = at < text.size() && text[at] == separator;
      if (more) {
        ++at;
      } else if (text.substr(at, 2) == "\r\n") {
        at += 2;
      } else if (at < text.size() && (text[at] == '\n' || text[at] == '\r')) {
        ++at;
      } else if (at < text.size()) {
        is_damaged = true;
        return records;
      }
    }
    records.push_back(std::move(record));
  }
  return records;
}

// A file as UTF-8 text, recoded a byte or a unit at a time.
struct PlainText {
  std::string text = {};
  bool is_damaged = false;
  bool is_foreign = false;
};

PlainText text_of_utf16(std::string_view content, bool is_little) {
  PlainText plain;
  plain.is_damaged = content.size() % 2 != 0;
  char32_t high = 0;  // the first half of a pair, if it was the last unit
  for (size_t at = 0; at + 1 < content.size(); at += 2) {
    const auto first = static_cast<unsigned char>(content[at + (is_little ? 1 : 0)]);
    const auto second = static_cast<unsigned char>(content[at + (is_little ? 0 : 1)]);
    const char32_t unit = char32_t{first} << 8 | second;
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (is_low != (high != 0)) plain.is_damaged = true;
    if (plain.is_damaged) return plain;
    if (unit >= 0xD800 && unit < 0xDC00) {
      high = unit;
      continue;
    }
    const char32_t code = is_low ? 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00) : unit;
    high = 0;
    char bytes[4];
    plain.text.append(bytes, write_utf8(code, bytes));
  }
  plain.is_damaged |= high != 0;
  return plain;
}

PlainText text_of_latin1(std::string_view content) {
  PlainText plain;
  for (const char byte : content) {
    char bytes[4];
    const char32_t code = static_cast<unsigned char>(byte);
    plain.text.append(bytes, write_utf8(code, bytes));
  }
  return plain;
}

PlainText text_of(std::string_view content, CsvEncoding encoding) {
  using namespace std::string_view_literals;
  const std::string_view head = content.substr(0, kForeignHeadBytes);
  if ((foreign_format(head) != nullptr && !looks_like_text(head)) ||
      head.starts_with("\xFF\xFE\0\0"sv) || head.starts_with("\0\0\xFE\xFF"sv)) {
    return {.text = {}, .is_foreign = true};
  }
  if (encoding == CsvEncoding::Latin1) return text_of_latin1(content);
  if (head.starts_with("\xFF\xFE")) return text_of_utf16(content, true);
  if (head.starts_with("\xFE\xFF")) return text_of_utf16(content, false);
  if (encoding == CsvEncoding::Utf16) return text_of_utf16(content, !head.starts_with('\0'));
  PlainText plain{std::string(content)};
  // Zeros at all even or all odd offsets: UTF-16 without a mark.
  if (head.size() >= 4 && encoding == CsvEncoding::Utf8) {
    const bool even = head[0] == '\0', odd = head[1] == '\0';
    plain.is_damaged = even != odd && (head[2] == '\0') == even && (head[3] == '\0') == odd;
  }
  return plain;
}

bool is_number(const std::string& text) {
  const size_t start = text.starts_with('-');
  if (text.find_first_not_of("0123456789.eE+-") != std::string::npos || text.size() == start ||
      text[start] == '+' || text[start] == '-') {
    return false;
  }
  if (text[start] == '0' && start + 1 < text.size() && std::isdigit(text[start + 1]) != 0)
    return false;
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() && std::isfinite(value) && (value != 0 || errno == 0);
}

bool is_whole(const std::string& text) {
  return is_number(text) && text.find_first_of(".eE") == std::string::npos;
}

bool is_float_word(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text == "nan" || text == "inf" || text == "-inf" || text == "infinity" ||
         text == "-infinity";
}

std::string digits_of(std::string text) {
  std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
  return text.substr(0, text.find_last_not_of('0') + 1);
}

bool keeps_digits(const std::string& text) {
  const double value = std::strtod(text.c_str(), nullptr);
  for (int digits = 0; digits <= 17; ++digits) {
    char room[64];
    std::snprintf(room, sizeof room, "%.*e", digits, value);
    if (std::strtod(room, nullptr) != value) continue;
    const std::string shortest(room);
    return digits_of(shortest.substr(0, shortest.find('e'))) == digits_of(text);
  }
  return false;
}

bool is_integer_below(const std::string& text, long double bound) {
  if (!is_whole(text) || text == "-0") return false;
  errno = 0;
  const auto value = static_cast<long double>(std::strtoll(text.c_str(), nullptr, 10));
  return errno == 0 && value < bound && value >= -bound;
}

std::string without_blanks(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// Returns the nanoseconds of "2026-11-21T10:20:30+02:00", with Z or an offset in one of its forms.
std::optional<int64_t> utc_time(const std::string& text) {
  const size_t time = text.find_first_of("T ");
  const size_t zone = text.find_first_of("Z+-", time == std::string::npos ? text.size() : time);
  if (zone == std::string::npos) return std::nullopt;
  std::string offset = text.substr(zone);
  const auto local = parse_iso_time(Type::Timestamp, text.substr(0, zone));
  if (!local || offset == "Z") return local;
  const int64_t sign = offset[0] == '-' ? -1 : 1;
  if (offset.size() == 6 && offset[3] == ':') offset.erase(3, 1);
  if (offset.size() == 3) offset += "00";
  if (offset.size() != 5 || offset.find_first_not_of("0123456789", 1) != std::string::npos)
    return std::nullopt;
  const int64_t minutes = std::stoll(offset.substr(1, 2)) * 60 + std::stoll(offset.substr(3));
  if (offset[3] > '5' || minutes > 14 * 60) return std::nullopt;
  return *local - sign * minutes * 60'000'000'000;
}

bool has_whole_year(const std::string& text) {
  const size_t dash = text.find('-', 1);
  return dash != std::string::npos && dash >= (text[0] == '-' ? 5 : 4);
}

bool holds(Type::Id type, const std::string& written) {
  const std::string text = type == Type::Text ? written : without_blanks(written);
  if (text.empty()) return type == Type::Text;
  switch (type) {
    case Type::Bool:
      return text == "true" || text == "True" || text == "TRUE" || text == "false" ||
             text == "False" || text == "FALSE";
    case Type::Int32: return is_integer_below(text, 2147483648.0L);
    case Type::Int64: return is_integer_below(text, 9223372036854775808.0L);
    case Type::Float64:
      return is_float_word(text) || (is_number(text) && (!is_whole(text) || keeps_digits(text)));
    case Type::Date32:
    case Type::Timestamp: return has_whole_year(text) && parse_time(type, text).has_value();
    default: return true;
  }
}

bool is_null(const PlainField& field, const CsvOptions& options) {
  return !field.in_quotes &&
         (field.text.empty() ||
          std::ranges::find(options.null_words, field.text) != options.null_words.end());
}

// Returns whether some name or value has no quotes, so that quoted values are texts.
bool quotes_are_text(const PlainCsv& csv, size_t first, const CsvOptions& options) {
  const auto is_plain = [&](const PlainField& field) {
    return !field.in_quotes && !is_null(field, options);
  };
  const auto is_plain_name = [](const PlainField& name) {
    return !name.in_quotes && !name.text.empty();
  };
  for (size_t i = 0; i < csv.records.size(); ++i) {
    const PlainRecord& record = csv.records[i];
    if (i < first ? std::ranges::any_of(record, is_plain_name)
                  : std::ranges::any_of(record, is_plain)) {
      return true;
    }
  }
  return false;
}

Type type_of(const PlainCsv& csv, size_t first, size_t column, const CsvOptions& options) {
  bool has_values = false, has_quotes = false;
  for (size_t i = first; i < csv.records.size(); ++i) {
    has_values |= !is_null(csv.records[i][column], options);
    has_quotes |= csv.records[i][column].in_quotes;
  }
  if (!has_values) return Type::Null;
  if (has_quotes && quotes_are_text(csv, first, options)) return Type::Text;
  for (const Type::Id type :
       {Type::Bool, Type::Int32, Type::Int64, Type::Float64, Type::Date32, Type::Timestamp}) {
    const bool all =
        std::all_of(csv.records.begin() + static_cast<ptrdiff_t>(first), csv.records.end(),
                    [&](const PlainRecord& record) {
                      return is_null(record[column], options) || holds(type, record[column].text);
                    });
    if (all) return type;
  }
  const bool all_in_utc =
      std::all_of(csv.records.begin() + static_cast<ptrdiff_t>(first), csv.records.end(),
                  [&](const PlainRecord& record) {
                    const std::string text = without_blanks(record[column].text);
                    return is_null(record[column], options) ||
                           (!text.empty() && has_whole_year(text) && utc_time(text));
                  });
  return all_in_utc ? Type::timestamp(Type::Nanosecond, "UTC") : Type(Type::Text);
}

bool is_value(const Values& values, uint64_t row, const std::string& written) {
  const std::string text = values.type.is(Type::Text) ? written : without_blanks(written);
  switch (values.type.id()) {
    case Type::Bool: return values.get_bool(row) == (text[0] == 't' || text[0] == 'T');
    case Type::Int32: return values.get<int32_t>(row) == std::strtoll(text.c_str(), nullptr, 10);
    case Type::Int64: return values.get<int64_t>(row) == std::strtoll(text.c_str(), nullptr, 10);
    case Type::Float64: {
      const double expected = std::strtod(text.c_str(), nullptr);
      const auto value = values.get<double>(row);
      return std::isnan(expected)
                 ? std::isnan(value)
                 : value == expected && std::signbit(value) == std::signbit(expected);
    }
    case Type::Date32: return values.get<int32_t>(row) == parse_time(values.type, text);
    case Type::Timestamp: {
      const auto time = parse_time(Type::Timestamp, text);
      return values.get<int64_t>(row) == (time ? time : utc_time(text));
    }
    default: return values.text(row) == text;
  }
}

std::string compare(const RowSource& rows, const PlainCsv& csv, size_t first,
                    const CsvOptions& options) {
  const uint64_t columns = csv.records.front().size();
  if (rows.schema().size() != columns) return concat(rows.schema().size(), " columns");
  if (rows.rows() != csv.records.size() - first) return concat(rows.rows(), " rows");
  for (size_t i = 0; i < columns; ++i) {
    const Type expected = type_of(csv, first, i, options);
    if (rows.schema()[i].type != expected)
      return concat("column ", i, " is ", rows.schema()[i].type.name(), ", not ", expected.name());
  }
  std::vector<uint64_t> indices(columns);
  std::iota(indices.rbegin(), indices.rend(), uint64_t{0});
  const auto stream = rows.read(indices, {});
  size_t record = first;
  for (RowBatch batch; stream->next(batch);) {
    for (uint64_t row = 0; row < batch.rows; ++row, ++record) {
      for (size_t i = 0; i < columns; ++i) {
        const Values& values = batch.columns[columns - 1 - i];
        const PlainField& field = csv.records[record][i];
        const bool nulls = is_null(field, options);
        if (values.is_null(row) != nulls || (!nulls && !is_value(values, row, field.text)))
          return concat("record ", record, ", column ", i, ": not ", field.text);
      }
    }
  }
  return record == csv.records.size() ? std::string() : concat("only ", record, " records");
}

// Makes the one file in memory, which takes a tenth of the time if made for each content, have this
// one. Returns its path.
std::string memory_file(std::string_view content) {
  static const int descriptor = ::memfd_create("csv", 0);
  if (::pwrite(descriptor, content.data(), content.size(), 0) !=
          static_cast<ssize_t>(content.size()) ||
      ::ftruncate(descriptor, static_cast<off_t>(content.size())) != 0) {
    std::abort();
  }
  return concat("/proc/self/fd/", descriptor);
}

}  // namespace

PlainCsv read_plain_csv(std::string_view content, const CsvOptions& options) {
  PlainCsv csv;
  const PlainText plain = text_of(content, options.encoding);
  csv.is_foreign = plain.is_foreign;
  csv.is_damaged = plain.is_damaged;
  if (csv.is_foreign || csv.is_damaged) return csv;
  std::string_view text = plain.text;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  csv.records = all_records(text, options.separator, csv.is_damaged);
  const auto first = std::ranges::find_if_not(csv.records, is_blank);
  if (first == csv.records.end()) {
    csv.is_damaged = true;
    return csv;
  }
  csv.is_damaged |= valid_utf8_prefix(text) != text.size();
  const size_t columns = first->size();
  if (options.header) csv.records.erase(csv.records.begin(), first);
  if (columns > 1) std::erase_if(csv.records, is_blank);
  csv.is_damaged |= std::ranges::any_of(
      csv.records, [&](const PlainRecord& record) { return record.size() != columns; });
  return csv;
}

namespace {

std::shared_ptr<const File> opened(const std::string& path, const CsvOptions& options) {
  OpenOptions opening;
  opening.format = "csv";
  opening.format_options = options.format_options();
  return open(path, opening);
}

// Compares the file as a table: rows read in their order, and taken backwards.
std::string compare_table(const std::string& path, const CsvOptions& options,
                          const RowSource& rows) {
  const Projection all(opened(path, options)->table());
  const ExactTable expected = exact_table(rows);
  const ExactTable read = exact_table(*table_rows(all));
  if (read.rows != expected.rows) return concat("a table of ", read.rows, " rows");
  for (size_t i = 0; i < expected.schema.size(); ++i) {
    const Field& field = expected.schema[i];
    const Field& got = read.schema[i];
    if (got.name != field.name || got.type != field.type ||
        (got.nullable != field.nullable && !field.type.is(Type::Null))) {
      return concat("in the table, column ", i, " is ", got.name, ' ', got.type.name());
    }
    if (read.columns[i] != expected.columns[i]) return concat("read otherwise: column ", i);
  }
  std::vector<uint64_t> backwards(expected.rows);
  for (uint64_t i = 0; i < expected.rows; ++i) backwards[i] = expected.rows - 1 - i;
  const RowBatch taken = take(all, backwards);
  for (size_t i = 0; i < expected.schema.size(); ++i) {
    for (uint64_t row = 0; row < expected.rows; ++row) {
      const ExactValue value = exact_value(taken.columns[i], row);
      if (value != expected.columns[i][backwards[row]])
        return concat("taken otherwise: column ", i);
    }
  }
  return {};
}

// Compares the error with that of opening the file as a table.
std::string compare_error(const std::string& path, const CsvOptions& options, const Error& error) {
  try {
    opened(path, options);
  } catch (const Error& other) {
    return std::string_view(other.what()) == error.what() ? std::string() : other.what();
  }
  return "opened as a table";
}

}  // namespace

std::string disagreement(std::string_view content, const CsvOptions& options, bool as_table) {
  if (begins_as_container(std::as_bytes(std::span(content)))) return {};
  const PlainCsv csv = read_plain_csv(content, options);
  const std::string path = memory_file(content);
  RowSourcePtr rows;
  try {
    rows = csv_rows({path}, options);
  } catch (const Error& error) {
    const bool is_of_kind =
        error.kind() == (csv.is_foreign ? ErrorKind::UnknownFormat : ErrorKind::Corrupt);
    if (!is_of_kind || std::string_view(error.what()).find('\n') != std::string_view::npos)
      return error.what();
    if (!csv.is_damaged && !csv.is_foreign) return concat("not damaged: ", error.what());
    return as_table ? compare_error(path, options, error) : std::string();
  }
  if (csv.is_foreign) return "a file of another kind was read";
  if (csv.is_damaged) return "damage that was not seen";
  const std::string different = compare(*rows, csv, options.header ? 1 : 0, options);
  return different.empty() && as_table ? compare_table(path, options, *rows) : different;
}

}  // namespace heron::inline v0
