// The table of type support, from the formats' own WriteSupport: a row per type, a column per
// format that writes, and below it the notes on whole formats.
#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/convert.h"
#include "heron/error.h"

namespace heron::inline v0 {
namespace {

using Nulls = TypeSupport::Nulls;

constexpr std::string_view kTerms =
    "as T            what it is read back as\n"
    "not null        values, but no nulls\n"
    "null as NaN     nulls are read back as NaN, a value\n"
    "list, vector    of items that the format holds\n";

struct Row {
  std::string name;
  Type type;
};

// One list and one vector represent all nested types.
std::vector<Row> type_rows() {
  std::vector<Row> rows;
  for (const Type::Id id :
       {Type::Bool, Type::Int8, Type::Int16, Type::Int32, Type::Int64, Type::UInt8, Type::UInt16,
        Type::UInt32, Type::UInt64, Type::Float32, Type::Float64, Type::Text, Type::Date32,
        Type::Timestamp, Type::DateTime, Type::Duration, Type::DateTimeOffset, Type::RowId}) {
    rows.push_back({Type(id).name(), id});
  }
  for (const Type& type : {Type::timestamp(Type::Microsecond), Type::timestamp(Type::Microsecond, "UTC"),
                           Type::duration(Type::Microsecond), Type(Type::Time)}) {
    rows.push_back({type.name(), type});
  }
  rows.push_back({"decimal", Type::decimal(38, 10)});
  rows.push_back({"binary", Type::Binary});
  rows.push_back({"key", Type::key(Type::UInt32, 1)});
  rows.push_back({"list", Type::list(Type::Int32)});
  rows.push_back({"vector", Type::vector(Type::Int32, 2)});
  rows.push_back({"null", Type::Null});
  return rows;
}

class FormatColumn {
 public:
  FormatColumn(const Format& format, const std::vector<Row>& rows)
      : format_(format), write_support_(*format.write_support) {
    for (const Row& row : rows) {
      const TypeSupport support = write_support_.type_support(row.type);
      if (!support.read_as) continue;
      never_null_ &= support.nulls == Nulls::Refused;
      nan_is_null_ |= support.nan_is_null;
    }
  }

  std::string_view name() const noexcept { return format_.name; }

  // Returns the cell of a type; the notes below the table have the properties that all types share.
  std::string cell(const Type& type) const {
    const TypeSupport support = write_support_.type_support(type);
    if (!support.read_as) return "no";
    std::string text = *support.read_as == type ? "" : concat("as ", support.read_as->name());
    const auto add = [&](const char* rule) { text += concat(text.empty() ? "" : ", ", rule); };
    if (is_of_one_size(type)) add("of one size");
    if (support.nulls == Nulls::AsNaN) add("null as NaN");
    if (support.nulls == Nulls::Refused && !never_null_) add("not null");
    return text.empty() ? "yes" : text;
  }

  std::vector<std::string> remarks() const {
    std::vector<std::string> said;
    const auto add = [&](bool is_so, const char* remark) {
      if (is_so) said.emplace_back(remark);
    };
    add(write_support_.one_type, "all columns of one type");
    add(format_.create_forest != nullptr,
        "or a forest: columns tree, node, left, right, feature, value, label");
    add(never_null_, nan_is_null_ ? "no nulls, no NaN" : "no nulls");
    add(nan_is_null_ && !never_null_, "a NaN is a null");
    add(write_support_.keys, "rows, optionally sorted by keys");
    add(write_support_.roles, "a label column; optionally a group column");
    add(write_support_.expected_loss != nullptr,
        "other values rounded by the range of their column");
    return said;
  }

 private:
  // Returns whether vectors of rows that differ in size are not supported.
  bool is_of_one_size(const Type& type) const {
    if (!type.is(Type::Vector)) return false;
    return !write_support_.type_support(Type::vector(type.item())).read_as;
  }

  const Format& format_;
  const WriteSupport& write_support_;
  bool never_null_ = true;
  bool nan_is_null_ = false;
};

// Aligns lines of words as columns, each as wide as its widest word.
std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : lines) {
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      text += line[i] + std::string(widths[i] + 2 - line[i].size(), ' ');
    }
    text += line.back() + '\n';
  }
  return text;
}

size_t widest_line(std::string_view text) {
  size_t widest = 0;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    widest = std::max(widest, end - at);
  }
  return widest;
}

// Returns tables of as many formats as fit into the width of help, one below the other.
std::string tables(const std::vector<Row>& rows, std::span<const FormatColumn> columns) {
  constexpr size_t kWidth = 80;
  std::string all;
  for (size_t first = 0; first < columns.size();) {
    std::string fitting;
    size_t end = first;
    for (; end < columns.size(); ++end) {
      std::vector<std::vector<std::string>> table = {{"type"}};
      for (const Row& row : rows) table.push_back({row.name});
      for (const FormatColumn& column : columns.subspan(first, end + 1 - first)) {
        table.front().emplace_back(column.name());
        for (size_t i = 0; i < rows.size(); ++i) table[i + 1].push_back(column.cell(rows[i].type));
      }
      std::string wider = aligned(table);
      if (end != first && widest_line(wider) > kWidth) break;
      fitting = std::move(wider);
    }
    all += fitting + '\n';
    first = end;
  }
  return all;
}

}  // namespace

std::string what_fits_where() {
  const std::vector<Row> rows = type_rows();
  std::vector<FormatColumn> columns;
  std::vector<std::vector<std::string>> remarks;
  for (const Format& format : formats()) {
    if (format.write_support == nullptr) continue;
    if (format.write_support->types) {
      columns.emplace_back(format, rows);
    } else {
      const bool has_all = std::ranges::all_of(rows, [&](const Row& row) {
        return format.write_support->type_support(row.type).read_as.has_value();
      });
      remarks.push_back({std::string(format.name),
                         concat(has_all ? "every type" : "numbers, vectors of them and texts",
                                " as text; readers infer types again")});
    }
  }
  for (const FormatColumn& column : columns) {
    for (const std::string& remark : column.remarks()) {
      remarks.push_back({std::string(column.name()), remark});
    }
  }
  return concat(tables(rows, columns), aligned(remarks), '\n', kTerms);
}

}  // namespace heron::inline v0
