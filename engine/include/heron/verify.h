// Checks of whole files.
#pragma once

#include <string>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/export.h"

namespace heron::inline v0 {

// Reads all structure and all values of every table, columns in parallel on the Context's threads.
// Throws the damage of the first damaged column, or Error(Unsupported) if no column of a table with
// columns can be read. Returns the reasons of columns of undefined type, one line each.
HERON_EXPORT std::vector<std::string> verify(const Dataset& dataset, const Context& context = {});

}  // namespace heron::inline v0
