#include "arrow/metadata_text.h"

#include "base/arena.h"
#include "heron/values.h"
#include "values/cells.h"
#include "values/value_words.h"

namespace heron::inline v0::arrow {
namespace {

void append_string(std::string& out, std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  out += '"';
  for (const char character : text) {
    if (character == '"' || character == '\\') out += '\\';
    if (static_cast<unsigned char>(character) < ' ') {
      out += "\\u00";
      out += kDigits[character >> 4];
      out += kDigits[character & 15];
    } else {
      out += character;
    }
  }
  out += '"';
}

uint64_t key_number(const Values& keys, uint64_t row) {
  return visit_cell_type(keys.type,
                         [&]<class T>() { return static_cast<uint64_t>(keys.get<T>(row)); });
}

void append_value(std::string& out, const Values& values, uint64_t row) {
  const Type& type = values.type;
  if (values.is_null(row)) {
    out += "null";
  } else if (type.is(Type::Key) && !values.children.empty()) {
    append_value(out, values.children[0], key_number(values, row) - 1);
  } else if (type.is_text()) {
    append_string(out, values.text(row));
  } else if (type.is_list()) {
    out += '[';
    for (uint64_t item = values.extent(row); item < values.extent(row + 1); ++item) {
      if (item != values.extent(row)) out += ',';
      append_value(out, values.children[0], item);
    }
    out += ']';
  } else if (type.is(Type::Vector)) {
    Arena arena;
    constexpr uint64_t kMostSlots = 1 << 20;
    append_value(out, dense(values, arena, kMostSlots), row);
  } else if (type.is_integer() || type.is(Type::Bool)) {
    out += value_words(values, row);
  } else if (type.is_float()) {
    const std::string number = value_words(values, row);
    const bool is_finite = number.find_first_of("Ny") == std::string::npos;  // NaN, Infinity
    is_finite ? void(out += number) : append_string(out, number);
  } else {
    append_string(out, value_words(values, row));
  }
}

}  // namespace

std::string metadata_text(const Metadata& metadata) {
  if (metadata.value == nullptr) return metadata.text;
  const RowBatch& batch = *metadata.value;
  if (batch.columns.empty() || batch.rows == 0) return {};
  const Values& values = batch.columns[0];
  if (values.type.is_text() && !values.is_null(0)) return std::string(values.text(0));
  std::string out;
  append_value(out, values, 0);
  return out;
}

}  // namespace heron::inline v0::arrow
