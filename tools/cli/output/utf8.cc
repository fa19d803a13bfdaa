#include "output/utf8.h"

#include "base/utf8.h"
#include "values/utf8_values.h"

namespace heron::cli {
namespace {

// Rows first up to last.
bool is_utf8_within(const Values& values, uint64_t first, uint64_t last) noexcept {
  const Type& type = values.type;
  if (first == last) return true;
  if (type.is(Type::Vector)) return is_utf8_within(values.children[0], first, last);
  if (type.is(Type::Key)) {
    if (values.children.empty()) return true;
    const Values& standing = values.children[0];
    return standing.rows <= last - first && is_utf8_within(standing, 0, standing.rows);
  }
  if (!type.is_list() && !type.is_text()) return true;
  if (type.is_text()) return are_utf8(values, first, last);
  return is_utf8_within(values.children[0], values.extent(first), values.extent(last));
}

}  // namespace

bool is_utf8(const Values& values) noexcept {
  return is_utf8_within(values, 0, values.rows);
}

void append_repaired(Sink& sink, std::string_view text) {
  each_utf8_part(text, [&](std::string_view part) { sink.append(part); });
}

}  // namespace heron::cli
