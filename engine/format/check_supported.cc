#include "format/check_supported.h"

#include <algorithm>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0 {

void check_supported(const std::string& path, std::string_view format,
                     const WriteSupport& write_support, const Schema& schema) {
  const auto is_supported = [&](const Field& field) {
    return write_support.type_support(field.type).read_as.has_value();
  };
  const auto first = std::find_if(schema.begin(), schema.end(), is_supported);
  std::string refused;
  for (const Field& field : schema) {
    const bool supported = is_supported(field);
    if (supported && (!write_support.one_type || field.type == first->type)) continue;
    refused += concat(
        refused.empty() ? "" : ", ", '"', field.name, "\" (", field.type.name(),
        supported ? concat(" where \"", first->name, "\" is ", first->type.name()) : "", ')');
  }
  if (refused.empty()) return;
  fail(ErrorKind::Unsupported, path, format, " cannot store the columns ", refused,
       write_support.one_type ? "; all are of one type" : "");
}

}  // namespace heron::inline v0
