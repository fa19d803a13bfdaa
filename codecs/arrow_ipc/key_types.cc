#include "arrow_ipc/key_types.h"

#include <algorithm>

namespace heron::inline v0::arrow_ipc {
namespace {

// Dictionaries of this many values or more are decoded.
constexpr uint64_t kMaxKeys = UINT32_MAX;

// Returns the narrowest type for the numbers of keys that is as wide as the codes.
Type::Id number_type(const Type& code, uint64_t values) noexcept {
  if (code.width() == 1 && values <= UINT8_MAX) return Type::UInt8;
  if (code.width() <= 2 && values <= UINT16_MAX) return Type::UInt16;
  return code.width() <= 4 ? Type::UInt32 : Type::UInt64;
}

// Returns the number of values that all record batches share; 0: they share none.
uint64_t shared_values(std::span<const DictionaryPart> parts) {
  if (parts.empty() || parts.front().first_batch != 0) return 0;
  uint64_t values = 0;
  for (const DictionaryPart& part : parts) {
    if (part.has_nulls || (&part != &parts.front() && !part.is_delta)) return 0;
    values += std::min(part.batch.rows, kMaxKeys - values);
  }
  return values;
}

void set_in(std::vector<StoredField>& fields, const Contents& contents) {
  for (StoredField& field : fields) {
    if (field.layout == Layout::Struct) set_in(field.children, contents);
    const Type& type = field.type;
    if (!field.dictionary || !field.is_ordered || field.layout == Layout::Other) continue;
    if (!type.has_bytes() && !type.is_integer() && !type.is_float()) continue;
    const auto parts = contents.dictionaries.find(*field.dictionary);
    if (parts == contents.dictionaries.end()) continue;
    const uint64_t values = shared_values(parts->second);
    if (values == 0 || values == kMaxKeys) continue;
    field.type = Type::key(number_type(field.code_type, values), values);
  }
}

}  // namespace

// A table without rows has no values to compare with.
void set_key_types(Contents& contents) {
  if (!contents.batches.empty()) set_in(contents.fields.fields, contents);
}

}  // namespace heron::inline v0::arrow_ipc
