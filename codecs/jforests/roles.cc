#include "jforests/roles.h"

#include <algorithm>
#include <charconv>

#include "heron/error.h"
#include "jforests/layout.h"
#include "jforests/names.h"

namespace heron::inline v0::jforests {
namespace {

constexpr std::string_view kTarget = "target";
constexpr std::string_view kQuery = "query";

bool is_number(const Type& type) {
  return type.is(Type::Bool) || type.is_integer() || type.is_float();
}

void check_types(const std::string& path, const Schema& schema) {
  std::string refused;
  bool has_target = false;
  for (const Field& field : schema) {
    has_target |= field.name == kTarget;
    if (field.name == kQuery ? field.type.is_integer() : is_number(field.type)) continue;
    refused += concat(refused.empty() ? "" : ", ", '"', field.name, "\" (", field.type.name(), ')');
  }
  if (!refused.empty()) {
    fail(ErrorKind::Unsupported, path,
         "jforests holds numbers, and integers as queries; it has no place for the columns ",
         refused);
  }
  if (!has_target) {
    fail(ErrorKind::Unsupported, path, "jforests wants a column \"", kTarget, "\"; there is none");
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

Roles assign_roles(const std::string& path, const Schema& schema) {
  check_types(path, schema);
  Roles roles;
  for (uint64_t column = 0; column < schema.size(); ++column) {
    const Field& field = schema[column];
    if (field.name == kTarget) {
      roles.target = column;
    } else if (field.name == kQuery) {
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
