#include "convert/mapping_notes.h"

#include <charconv>

#include "base/fail.h"

namespace heron::inline v0 {

std::string in_short(double difference) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, difference, std::chars_format::general, 3);
  return {digits, end.ptr};
}

void note_mapping(const SchemaMapping& mapping, const Schema& source, const Context& context) {
  if (!context.note) return;
  for (const std::string& why : mapping.dropped) context.note(concat("left out: ", why));
  for (const MappedColumn& column : mapping.columns) {
    const Field& from = source[column.cast.column];
    if (column.cast.type != from.type) {
      context.note(concat('"', from.name, "\": ", from.type.name(), " is written as ",
                          column.cast.type.name()));
    }
    for (const std::string& lost : column.metadata_lost) {
      context.note(concat('"', from.name, "\": its metadata \"", lost, "\" is not stored"));
    }
    if (column.expected_loss != 0) {
      context.note(concat('"', from.name, "\": values will be rounded, by up to ",
                          in_short(column.expected_loss)));
    }
  }
}

}  // namespace heron::inline v0
