#include <vector>

#include "expression/functions/function.h"

namespace heron::inline v0 {

std::span<const Function* const> functions() {
  static const std::vector<const Function*> all = [] {
    std::vector<const Function*> list;
    for (const auto family :
         {math_functions(), text_functions(), pattern_functions(), time_functions(),
          null_functions(), list_functions(), hash_functions(), byte_functions()}) {
      for (const Function& one : family) list.push_back(&one);
    }
    return list;
  }();
  return all;
}

ValueKind kind_of(const Type& type) {
  if (type.is(Type::Bool)) return ValueKind::Bool;
  if (type.is_float()) return ValueKind::Float;
  if (type.has_bytes()) return ValueKind::Text;
  if (type.is(Type::RowId)) return ValueKind::RowId;
  if (type.is(Type::Int128) || type.is(Type::UInt64) || type.is(Type::Decimal))
    return ValueKind::Wide;
  if (type.is(Type::Key)) return kind_of(type.item());
  return ValueKind::Integer;
}

}  // namespace heron::inline v0
