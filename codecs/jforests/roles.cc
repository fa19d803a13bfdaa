#include "jforests/roles.h"

#include <algorithm>
#include <charconv>

#include "base/fail.h"
#include "format/check_supported.h"
#include "heron/error.h"
#include "jforests/jforests.h"
#include "jforests/layout.h"
#include "jforests/names.h"
#include "jforests/options.h"
#include "table/names.h"

namespace heron::inline v0::jforests {
namespace {

constexpr std::string_view kTarget = "target";
constexpr std::string_view kQuery = "query";

bool has(const Schema& schema, std::string_view name) {
  return std::any_of(schema.begin(), schema.end(),
                     [&](const Field& field) { return field.name == name; });
}

void check_roles(const std::string& path, const Schema& schema, const WriteOptions& options) {
  const std::string_view label = label_name(options), group = group_name(options);
  for (const std::string_view option : {kLabelColumn, kGroupColumn}) {
    const std::string_view name = text_option(options.format_options, option);
    if (name.empty() || has(schema, name)) continue;
    fail(ErrorKind::Argument, path, "there is no column \"", name, '"',
         similar_column(schema, name));
  }
  if (!has(schema, label)) {
    fail(ErrorKind::Unsupported, path, "jforests requires a column \"", label, "\"; there is none");
  }
  if (label == group && !text_option(options.format_options, kGroupColumn).empty()) {
    fail(ErrorKind::Argument, path, "the column \"", label, "\" cannot be both label and group");
  }
  for (const Field& field : schema) {
    if (field.name != group || group == label || field.type.is_integer()) continue;
    fail(ErrorKind::Unsupported, path, "jforests groups must be integers, got column \"", group,
         "\" of type ", field.type.name());
  }
}

std::optional<double> given(const std::string& path, const Field& field, std::string_view key) {
  const auto entry = std::find_if(field.metadata.begin(), field.metadata.end(),
                                  [&](const Metadata& one) { return one.name == key; });
  if (entry == field.metadata.end()) return {};
  const std::string& text = entry->text;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail(ErrorKind::Argument, path, "column \"", field.name, "\": expected a number as its \"", key,
         "\", got \"", text, '"');
  }
  return value;
}

}  // namespace

std::string_view label_name(const WriteOptions& options) {
  return text_option(options.format_options, kLabelColumn, kTarget);
}

std::string_view group_name(const WriteOptions& options) {
  return text_option(options.format_options, kGroupColumn, kQuery);
}

Roles assign_roles(const std::string& path, const Schema& schema, const WriteOptions& options) {
  check_supported(path, "jforests", kWriteSupport, schema);
  check_roles(path, schema, options);
  Roles roles;
  for (uint64_t column = 0; column < schema.size(); ++column) {
    const Field& field = schema[column];
    if (field.name == label_name(options)) {
      roles.target = column;
    } else if (field.name == group_name(options)) {
      roles.query = column;
    } else {
      const bool own = field.name != concat('f', roles.features.size() + 1);
      roles.features.push_back({column, own ? stored_name(field.name) : std::string(),
                                given(path, field, "min"), given(path, field, "max")});
    }
  }
  return roles;
}

}  // namespace heron::inline v0::jforests
