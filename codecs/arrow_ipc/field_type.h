// What a field of a schema stores, by its type alone.
#pragma once

#include <optional>
#include <string>

#include "arrow_ipc/fields.h"

namespace heron::inline v0::arrow_ipc {

// Sets layout, type and words of a field by its stored type; the layout Other, with the reason, for
// types that Heron does not have. Lists get their type from their children, later.
void set_type(StoredField& field, const arrow_fbs::Field& stored);

// Sets the layout Other; `words` name the type that Heron does not have.
void set_other(StoredField& field, std::string words);

// Returns nullopt for widths that Heron does not have.
std::optional<Type> integer_type(const arrow_fbs::Int& stored);

}  // namespace heron::inline v0::arrow_ipc
