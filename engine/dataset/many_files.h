// Many files of one schema as one dataset: their tables one behind the other, column by column.
#pragma once

#include <memory>
#include <span>

#include "heron/dataset.h"

namespace heron::inline v0 {

// As open() of several paths says; at least one file. Reads what schemas need, no rows.
std::shared_ptr<const Dataset> join(std::span<const std::shared_ptr<const Dataset>> files);

}  // namespace heron::inline v0
