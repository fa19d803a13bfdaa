#include "kit/conversions.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "convert/cast.h"
#include "format/format_options.h"
#include "heron/error.h"

namespace heron::inline v0 {
namespace {

using Kind = ExactValue::Kind;
using Null = TypeSupport::Nulls;

// Returns whether the format can store the value and its items.
bool holds(const WriteSupport& write_support, const ExactValue& value, const Type& type,
           bool cast) {
  const TypeSupport support = write_support.type_support(type);
  const bool refused = support.nulls == Null::Refused;
  if (value.is(Kind::Null)) {
    return !refused || (cast && type.is_float() && !support.nan_is_null);
  }
  if (value.is_nan()) return !refused || !support.nan_is_null;
  return std::all_of(value.items.begin(), value.items.end(), [&](const ExactValue& item) {
    return holds(write_support, item, type.item(), cast);
  });
}

bool column_fits(const std::vector<ExactValue>& values, const Type& from, const Type& type,
                 const WriteSupport& write_support, bool cast) {
  return write_support.type_support(type).read_as &&
         std::all_of(values.begin(), values.end(), [&](const ExactValue& value) {
           return (from == type || fits(value, type)) && holds(write_support, value, type, cast);
         });
}

std::vector<Type> candidates(const Type& type, bool cast, bool counts_groups = false) {
  std::vector<Type> types = {type};
  if (!cast && counts_groups) types.insert(types.end(), {Type::Int32, Type::Int64});
  if (!cast) return types;
  for (const Type& other : cast_candidates(type)) types.push_back(other);
  return types;
}

// Returns the indices in the file of the columns that a plan keeps.
std::vector<uint64_t> kept_indices(const Written& written, const Plan& plan) {
  std::vector<uint64_t> order(plan.kept.size());
  for (uint64_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto first = [&](const std::string& name) {
    std::stable_partition(order.begin(), order.end(), [&](uint64_t i) {
      return written.rows.schema[plan.kept[i].column].name == name;
    });
  };
  for (auto key = written.options.key.rbegin(); key != written.options.key.rend(); ++key) {
    first(*key);
  }
  if (written.format.write_support->roles) {
    const FormatOptions& options = written.options.write.format_options;
    first(std::string(text_option(options, "group_column", "query")));
    first(std::string(text_option(options, "label_column", "target")));
  }
  return order;
}

struct Change {
  uint64_t rows = 0;
  double largest = 0;
};

Change change(const std::vector<ExactValue>& before, const std::vector<ExactValue>& after) {
  Change change;
  for (size_t row = 0; row < before.size(); ++row) {
    if (before[row] == after[row]) continue;
    const bool are_whole = before[row].is(Kind::Whole) && after[row].is(Kind::Whole);
    const double difference =
        std::abs(are_whole ? static_cast<double>(before[row].number - after[row].number)
                           : as_double(before[row]) - as_double(after[row]));
    if (difference == 0 && as_double(before[row]) == 0) continue;  // -0.0
    ++change.rows;
    change.largest = std::max(change.largest, difference);
  }
  return change;
}

// Collects faults, up to a limit.
class Faults {
 public:
  template <class... Parts>
  void add(const Parts&... parts) {
    if (++count_ <= kMaxReported) text_ += concat(where_, parts..., '\n');
  }
  void at(std::string where) { where_ = std::move(where) + ": "; }
  std::string text() && { return std::move(text_); }

 private:
  static constexpr uint64_t kMaxReported = 5;
  std::string where_, text_;
  uint64_t count_ = 0;
};

// Checks that rows that differed from the one before still do.
void check_groups(const std::vector<ExactValue>& before, const std::vector<ExactValue>& after,
                  Faults& faults) {
  Int128 group = 0;
  for (size_t row = 0; row < before.size(); ++row) {
    if (row != 0 && before[row] != before[row - 1]) ++group;
    if (after[row] == ExactValue{Kind::Whole, group}) continue;
    faults.add("row ", row, " is in group ", words(after[row]));
  }
}

void check_rounded(const std::vector<ExactValue>& before, const std::vector<ExactValue>& after,
                   const Type& from, const ConvertedColumn& reported, Faults& faults) {
  if (std::isinf(reported.expected_change)) return;
  constexpr double kAbout = 1 + 1e-9;
  const Change found = change(before, after);
  const bool counted_twice = from.is(Type::Int64) || from.is(Type::UInt64);  // for two roundings
  if (found.largest > reported.largest_change * kAbout ||
      reported.largest_change > reported.expected_change * kAbout) {
    faults.add("differs by ", found.largest, ", reported: ", reported.largest_change, " after and ",
               reported.expected_change, " before");
  }
  if (counted_twice) return;
  if (found.rows != reported.changed || found.largest * kAbout < reported.largest_change) {
    faults.add(found.rows, " rows differ, by ", found.largest, ", reported: ", reported.changed,
               " and ", reported.largest_change);
  }
}

// Checks that values are equal, but for `changed` texts that are not UTF-8 and look alike.
void check_equal(const std::vector<ExactValue>& before, const std::vector<ExactValue>& after,
                 const Type& type, const WriteSupport& write_support, uint64_t changed,
                 Faults& faults) {
  uint64_t alike = 0;
  for (size_t row = 0; row < before.size(); ++row) {
    const ExactValue expected = as_read_back(before[row], type, write_support);
    if (after[row] == expected) continue;
    alike += 1;
    if (changed != 0 && look_alike(expected, after[row])) continue;
    faults.add("row ", row, ": expected ", words(expected), ", got ", words(after[row]));
  }
  if (alike != changed && !type.is_nested()) {
    faults.add(alike, " values differ, reported: ", changed);
  }
}

void check_column(const Written& written, const Plan::Column& column, const Field& read_field,
                  const std::vector<ExactValue>& read, Faults& faults) {
  const Field& field = written.rows.schema[column.column];
  const std::vector<ExactValue>& values = written.rows.columns[column.column];
  const WriteSupport& write_support = *written.format.write_support;
  faults.at(concat('"', field.name, "\", ", field.type.name(), " as ", column.type.name()));
  const auto reported =
      std::find_if(written.report.columns.begin(), written.report.columns.end(),
                   [&](const ConvertedColumn& one) { return one.name == field.name; });
  if (reported == written.report.columns.end()) return faults.add("not reported");
  if (reported->from != field.type || reported->to != column.type) {
    return faults.add("reported: ", reported->from.name(), " as ", reported->to.name());
  }
  if (read.size() != values.size()) return faults.add(read.size(), " rows");
  if (write_support.expected_loss == nullptr) {
    const Type read_as = *write_support.type_support(column.type).read_as;
    if (read_field.type != read_as) faults.add("is read as ", read_field.type.name());
    return check_equal(values, read, column.type, write_support, reported->changed, faults);
  }
  if (field.name ==
      text_option(written.options.write.format_options, "group_column", "query")) {
    return check_groups(values, read, faults);
  }
  check_rounded(values, read, field.type, *reported, faults);
}

std::vector<std::string> refused_names(const Written& written, const Plan& plan) {
  std::vector<std::string> names;
  for (const uint64_t column : plan.refused) names.push_back(written.rows.schema[column].name);
  std::sort(names.begin(), names.end());
  return names;
}

Plan plan_as(const ExactTable& rows, const WriteSupport& write_support, bool cast,
             std::optional<Type> one_type) {
  Plan plan;
  for (uint64_t column = 0; column < rows.schema.size(); ++column) {
    const Type& from = rows.schema[column].type;
    std::vector<Type> types = candidates(from, cast, rows.group_column == column);
    if (one_type) std::erase_if(types, [&](const Type& type) { return type != *one_type; });
    const auto fit = std::find_if(types.begin(), types.end(), [&](const Type& type) {
      return column_fits(rows.columns[column], from, type, write_support, cast);
    });
    if (fit == types.end()) {
      plan.refused.push_back(column);
      continue;
    }
    plan.kept.push_back({column, *fit});
    if (write_support.one_type) one_type = *fit;
  }
  return plan;
}

}  // namespace

Plan plan(const ExactTable& rows, const WriteSupport& write_support, bool cast,
          std::optional<Type> one_type) {
  if (!write_support.one_type || !cast) return plan_as(rows, write_support, cast, std::nullopt);
  std::vector<Type> types;
  for (const Field& field : rows.schema) {
    for (const Type& type : candidates(field.type, cast)) {
      if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    }
  }
  Plan best;
  for (const Type& type : types) {
    Plan plan = plan_as(rows, write_support, cast, type);
    const bool is_given = one_type == type;
    if (plan.kept.size() + is_given > best.kept.size()) best = std::move(plan);
  }
  if (best.kept.empty()) return plan_as(rows, write_support, cast, std::nullopt);
  return best;
}

bool look_alike(const ExactValue& a, const ExactValue& b) {
  const auto looks = [](const ExactValue& value) {
    return nlohmann::json(value.text)
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  if (a.items.size() != b.items.size()) return false;
  if (a == b || ((a.is_nan() || a.is(Kind::Null)) && (b.is_nan() || b.is(Kind::Null)))) {
    return true;
  }
  if (a.kind != b.kind || (a.items.empty() && !a.is(Kind::Text))) return false;
  return looks(a) == looks(b) &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), look_alike);
}

ExactValue as_read_back(ExactValue value, const Type& type, const WriteSupport& write_support) {
  if (type.is_float()) {
    const TypeSupport support = write_support.type_support(type);
    if (value.is(Kind::Null) && support.nulls != Null::Stored) {
      return exact_number(std::nan(""));
    }
    if (value.is_nan() && support.nan_is_null) return {};
  }
  for (ExactValue& item : value.items) item = as_read_back(item, type.item(), write_support);
  return value;
}

std::string faults_of(const Written& written, const Plan& plan, const ExactTable& read_back) {
  Faults faults;
  if (written.report.rows != written.rows.rows) faults.add("reported: ", written.report.rows);
  std::vector<std::string> dropped = written.report.dropped;
  std::sort(dropped.begin(), dropped.end());
  if (dropped != refused_names(written, plan)) {
    faults.add(dropped.size(), " columns were dropped, not ", plan.refused.size());
  } else if (read_back.schema.size() != plan.kept.size()) {
    faults.add("has ", read_back.schema.size(), " columns, not ", plan.kept.size());
  } else {
    const std::vector<uint64_t> order = kept_indices(written, plan);
    for (size_t i = 0; i < order.size(); ++i) {
      check_column(written, plan.kept[order[i]], read_back.schema[i], read_back.columns[i], faults);
    }
  }
  return std::move(faults).text();
}

ExactTable exact_file(const std::string& path, bool mapped) {
  OpenOptions options;
  options.mmap = mapped;
  const auto file = open(path, options);
  return exact_table(*table_rows(Projection(file->table())));
}

}  // namespace heron::inline v0
